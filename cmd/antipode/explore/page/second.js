// What differs in the second panel of Live: β, or layers in place of their limit in continuous time and the
// reverse, or the noise.

export class Second {
  // changed is called when another difference is chosen.
  constructor(changed) {
    this.select = document.getElementById('second');
    this.beta = document.getElementById('secondBeta');
    this.select.addEventListener('change', () => {
      this.arrange();
      changed();
    });
    this.beta.addEventListener('change', changed);
  }

  // value is the choice as text, as it is in the address.
  get value() {
    return this.select.value === 'beta' ? 'beta:' + this.beta.value : this.select.value;
  }

  set value(text) {
    const [what, beta] = (text ?? '').split(':');
    this.select.value = what;
    if (this.select.selectedIndex < 0) this.select.value = '';
    if (beta !== undefined) this.beta.value = beta;
    this.arrange();
  }

  arrange() {
    document.getElementById('otherBeta').hidden = this.select.value !== 'beta';
  }

  // offer shows the choices that exist for a model.
  offer(model) {
    const [, , limit, noise] = this.select.options;
    const layers = model.endsWith('-sde');
    const texts = {
      limit: layers ? 'layers, not their limit' : 'limit of infinite depth (SDE)',
      noise: model === 'flow' ? 'with noise' : 'without noise',
    };
    limit.hidden = limit.disabled = model === 'flow';
    noise.hidden = noise.disabled = model.startsWith('transformer'); // without noise, nothing would move
    for (const option of [limit, noise]) option.textContent = texts[option.value];
    if (this.select.selectedOptions[0]?.disabled) this.value = '';
  }

  // given returns the values that differ in the second panel, for a model of the first; null if there is no
  // second panel.
  given(model) {
    const name = model.replace('-sde', '');
    switch (this.select.value) {
      case 'beta':
        return { beta: this.beta.value };
      case 'limit':
        return model === name
          ? { model: name + '-sde', law: 'gaussian' }
          : { model: name, scheme: 'euler', noise: 'common', law: 'gaussian' };
      case 'noise':
        return model === 'flow' ? { model: 'hybrid', epsilon: '1' } : { epsilon: '0' };
    }
    return null;
  }

  // titles returns the titles of the two panels, from the values of the first.
  titles({ model, beta }) {
    const layers = model.endsWith('-sde') ? 'limit of infinite depth' : 'layers';
    const other = model.endsWith('-sde') ? 'layers' : 'limit of infinite depth';
    return {
      beta: [`β = ${beta}`, `β = ${this.beta.value}, the same noise`],
      limit: [layers, other + ', the same noise'],
      noise: model === 'flow' ? ['without noise', 'with noise'] : ['with noise', 'without noise'],
    }[this.select.value];
  }
}
