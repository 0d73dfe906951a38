// Recording of a canvas as WebM.

import { save } from './copy.js';

export class Recorder {
  constructor(button, canvas) {
    button.hidden = !window.MediaRecorder?.isTypeSupported('video/webm') || !canvas.captureStream;
    button.addEventListener('click', () =>
      this.recorder ? this.recorder.stop() : this.begin(button, canvas),
    );
  }

  begin(button, canvas) {
    const pieces = [];
    const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: 'video/webm' });
    recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
    recorder.addEventListener('stop', () => {
      this.recorder = undefined;
      button.textContent = 'Record';
      save(new Blob(pieces, { type: 'video/webm' }), 'tokens.webm');
    });
    recorder.start();
    this.recorder = recorder;
    button.textContent = 'Stop and save';
  }
}
