/** What a function may be called (functions §1). */
export const isFunctionName = (name: string): boolean => /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name)

/** Files that a function may begin with, where its options name none. */
export const entryNames: readonly string[] = ['index.ts', 'index.js', 'index.tsx', 'index.jsx', 'index.mjs']
