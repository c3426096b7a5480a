/** The languages of the generator of types. */
export const typeLanguages = ['typescript', 'go', 'swift', 'python'] as const
export type TypeLanguage = (typeof typeLanguages)[number]
