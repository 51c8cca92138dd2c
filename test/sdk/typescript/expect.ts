// Shared by the TypeScript scenarios: the inputs and the function that reports a failure.
export const token = 'eyJhbGciOiJub25lIn0.eyJyb2xlcyI6WyJhIiwiYiJdfQ.';
export const largest = '[' + '1,'.repeat(524_200) + '1]';

export function equal<T>(what: string, got: T, want: T): void {
  if (JSON.stringify(got) !== JSON.stringify(want)) {
    throw new Error(`${what}: want ${JSON.stringify(want)}, got ${JSON.stringify(got)}`.slice(0, 500));
  }
}

export function environment(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

export const sleep = (seconds: number): Promise<void> => new Promise((done) => setTimeout(done, seconds * 1000));
