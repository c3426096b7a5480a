import type { ErrorDetails } from './catalogue.ts'

/** The last change of something that operators edit. */
interface LastChange {
  /** E-mail address; empty where none is known. */
  readonly by: string
  readonly at: Date
}

/** What is said when a change is refused because it was made of an earlier state: who changed it since, and when. */
export const changedMeanwhile = (what: string, { by, at }: LastChange): Pick<ErrorDetails, 'message'> => ({
  message: `${by === '' ? 'Somebody' : by} changed ${what} meanwhile, at ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
})
