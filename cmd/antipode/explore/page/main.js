// The views of the page, and its address, which holds all that a view shows: #view/what?parameter=value&…

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

// parsed returns the parts of the address.
function parsed() {
  const [path, query = ''] = location.hash.slice(1).split('?');
  const [name, what = ''] = path.split('/').map(decodeURIComponent);
  return {
    name: name in views ? name : 'live',
    what,
    values: Object.fromEntries(new URLSearchParams(query)),
  };
}

let moving = false; // while a value is being changed, its steps replace each other in the history

// remember puts the parameters of a view into the address and, unless a change is going on, adds a step to
// the history; settled says whether the person has finished the change.
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

// link makes the link to a view lead back to its last address.
function link(name, address) {
  const lasting = address.replace(/[?&]tour=\d/, '');
  document.querySelector(`nav a[href^="#${name}"]`).setAttribute('href', lasting);
}

// show shows the view that the address describes.
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
    if (failure.name !== 'NetworkError') throw failure; // it is announced already, or the page is being left
  });
}

// shade records which colour scheme is shown, because figures have colours for paper.
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
if (within) document.querySelector('nav a[href="#files"]').remove(); // an exported page has no files
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
