// Undo and redo for the recipe: steps added, moved, removed or changed.

const most = 100;

export class History {
  #past = [];
  #future = [];
  #now; // undefined until the first recipe, which cannot be undone

  // note records the steps after a change.
  note(steps) {
    if (steps === this.#now || (steps.length === 0 && this.#now?.length === 0)) return;
    if (this.#now) this.#past = [...this.#past, this.#now].slice(-most);
    this.#now = steps;
    this.#future = [];
  }

  // undo returns the steps before the last change, or undefined if there is none.
  undo() {
    if (this.#past.length === 0) return undefined;
    this.#future.push(this.#now);
    this.#now = this.#past.pop();
    return this.#now;
  }

  redo() {
    if (this.#future.length === 0) return undefined;
    this.#past.push(this.#now);
    this.#now = this.#future.pop();
    return this.#now;
  }

  get able() {
    return { undo: this.#past.length > 0, redo: this.#future.length > 0 };
  }
}
