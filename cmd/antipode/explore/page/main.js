// The views of the page, and the address, which holds all that a view shows: #view/what?parameter=value&…

import * as server from './server.js';
import { Live } from './live.js';
import { Theory } from './theory.js';
import { Runs } from './runs.js';
import { Files } from './files.js';
import { offer } from './copy.js';
import { Tour } from './tour.js';
import { within } from './http.js';
import { recall, store } from './memory.js';

const views = {};
let current = '';

// parsed are the parts of the address.
function parsed() {
  const [path, query = ''] = location.hash.slice(1).split('?');
  const [name, what = ''] = path.split('/').map(decodeURIComponent);
  return {
    name: name in views ? name : 'live',
    what,
    values: Object.fromEntries(new URLSearchParams(query)),
  };
}

let moving = false; // a value is being changed: its steps on the way are none to go back to

// remember puts a view's parameters into the address, as a step to which one can go back; settled is whether
// a person has come to the end of a change.
function remember(name, what, values, settled) {
  if (name !== current) return;
  tour.changed(name, values);
  const query = new URLSearchParams(tour.step ? { ...values, tour: tour.step } : values).toString();
  const address = '#' + name + (what ? '/' + encodeURIComponent(what) : '') + (query ? '?' + query : '');
  if (address !== location.hash) {
    history[moving ? 'replaceState' : 'pushState'](null, '', address);
    link(name, address);
  }
  moving = !settled;
}

// link has the link to a view lead to where it was left.
function link(name, address) {
  const lasting = address.replace(/[?&]tour=\d/, '');
  document.querySelector(`nav a[href^="#${name}"]`).setAttribute('href', lasting);
}

// show shows what the address says.
function show() {
  const {
    name,
    what,
    values: { tour: step, ...values },
  } = parsed();
  tour.show(Number(step ?? 0), values);
  if (name !== current) views[current]?.hide();
  current = name;
  for (const section of document.querySelectorAll('main > section')) section.hidden = section.id !== name;
  for (const a of document.querySelectorAll('nav a')) {
    if (a.hash.slice(1).split(/[?/]/)[0] === name) a.setAttribute('aria-current', 'page');
    else a.removeAttribute('aria-current');
  }
  if (location.hash) link(name, location.hash);
  document.title = 'antipode ' + name;
  Promise.resolve(views[name].show(what, values)).catch((failure) => {
    if (failure.name !== 'NetworkError') throw failure; // which is announced, or this page is left
  });
}

// shade takes note of which colours are shown, for figures, which are made for paper.
function shade() {
  const chosen = document.getElementById('theme').value;
  document.documentElement.dataset.theme = chosen;
  document.documentElement.dataset.shade =
    chosen || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  store('theme', chosen);
  views.live?.recolour();
}

document.getElementById('theme').value = recall('theme');
document.getElementById('theme').addEventListener('change', shade);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', shade);
shade();
server.connect();
const known = await server.askJSON('commands');
document.getElementById('again').textContent = known.again;
if (within) document.querySelector('nav a[href="#files"]').remove(); // there are none
offer();
const tour = new Tour((step, address) => {
  history.pushState(null, '', address);
  show();
});
views.live = new Live(remember, known.outcomes, (ensemble) => tour.told(ensemble));
views.theory = new Theory(remember);
views.runs = new Runs(
  remember,
  known.commands,
  (address) => {
    history.pushState(null, '', address);
    show();
  },
  () => views.live.point,
);
if (!within) views.files = new Files();
window.addEventListener('popstate', show);
server.on('back', () => (views[current].back ? views[current].back() : show()));
show();
