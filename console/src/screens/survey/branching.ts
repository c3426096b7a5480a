import type { SurveyQuestion } from '../../lib/api/schemas.ts'

type Branching = NonNullable<SurveyQuestion['branching']>

/** Where a survey goes on: at a question counted from zero, or nowhere. */
type Step = number | 'end'

/** Answers that a question can lead on by, with the names that they have in its branching; none where it cannot. */
export function branchesOf({ type, choices = [], scale }: SurveyQuestion): readonly { name: string; label: string }[] {
  if (type === 'single_choice')
    return choices.map((label, index) => ({ name: String(index), label })).filter(({ label }) => label.trim() !== '')
  if (type !== 'rating') return []
  return (buckets[scale ?? 0] ?? []).map(([name, label]) => ({ name, label }))
}

/** How posthog-js sorts ratings, by their scale. */
const buckets: Readonly<Record<number, readonly (readonly [name: string, label: string])[]>> = {
  2: [
    ['positive', 'thumbs up'],
    ['negative', 'thumbs down'],
  ],
  3: [
    ['negative', '1'],
    ['neutral', '2'],
    ['positive', '3'],
  ],
  5: [
    ['negative', '1 to 2'],
    ['neutral', '3'],
    ['positive', '4 to 5'],
  ],
  7: [
    ['negative', '1 to 3'],
    ['neutral', '4'],
    ['positive', '5 to 7'],
  ],
  10: [
    ['detractors', '0 to 6'],
    ['passives', '7 to 8'],
    ['promoters', '9 to 10'],
  ],
}

/** A question with another branching; with none the next one follows. */
export function withBranching({ branching: _, ...question }: SurveyQuestion, next: Branching | null): SurveyQuestion {
  return next === null ? question : { ...question, branching: next }
}

/** The questions without one: what led to it leads to the next one, and what led beyond it still does. */
export const withoutQuestion = (questions: readonly SurveyQuestion[], removed: number): SurveyQuestion[] =>
  questions
    .filter((_, place) => place !== removed)
    .map((question) =>
      withSteps(question, (step) => (step === 'end' || step < removed ? step : step === removed ? null : step - 1)),
    )

/** A question as it is saved: without blank choices, and leading on by answers that it has. */
export function savedQuestion(question: SurveyQuestion): SurveyQuestion {
  const { choices } = question
  const known = branchesOf(question).map(({ name }) => name)
  const renamed = (name: string): string => (question.type === 'rating' ? name : String(known.indexOf(name)))
  const { branching } = question
  const values = Object.entries(branching?.responseValues ?? {}).filter(([name]) => known.includes(name))
  return withBranching(
    choices === undefined
      ? question
      : { ...question, choices: choices.map((choice) => choice.trim()).filter((choice) => choice !== '') },
    branching?.type === 'response_based'
      ? { ...branching, responseValues: Object.fromEntries(values.map(([name, step]) => [renamed(name), step])) }
      : (branching ?? null),
  )
}

/** A question whose steps are others; null for the next question. */
function withSteps(question: SurveyQuestion, change: (step: Step) => Step | null): SurveyQuestion {
  const { branching } = question
  if (branching?.type === 'specific_question') {
    const index = change(branching.index ?? 'end')
    return withBranching(question, typeof index === 'number' ? { ...branching, index } : null)
  }
  if (branching?.type !== 'response_based') return question
  const values = Object.entries(branching.responseValues ?? {}).flatMap(([name, step]) => {
    const next = change(step)
    return next === null ? [] : [[name, next] as const]
  })
  return withBranching(question, { ...branching, responseValues: Object.fromEntries(values) })
}
