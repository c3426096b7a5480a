import type { JsonObject } from '../../ground/json/object.ts'
import type { Question, SurveyResults } from './schemas.ts'

/** One person's answers, as the event carries them. */
export interface Answer {
  readonly distinctId: string
  readonly at: Date
  readonly properties: JsonObject
}

const shownTexts = 100

/**
 * Counts answers a question.
 *
 * @param withTexts whether the texts of open questions are among them: they are what people wrote
 */
export function summarise(
  questions: readonly Question[],
  answers: readonly Answer[],
  withTexts: boolean,
): SurveyResults['questions'] {
  return questions.map((question, index) => {
    const given = answers.flatMap((answer) =>
      readValues(answer.properties, question.id, index).map((text) => ({ ...answer, text })),
    )
    const isOpen = question.type === 'open'
    const texts = given
      .slice(0, shownTexts)
      .map(({ text, distinctId, at }) => ({ text, distinctId, at: at.toISOString() }))
    return {
      id: question.id,
      question: question.question,
      type: question.type,
      counts:
        isOpen || question.type === 'link'
          ? []
          : countValues(
              question,
              given.map(({ text }) => text),
              withTexts,
            ),
      texts: withTexts ? (isOpen ? texts : []) : null,
      nps:
        question.type === 'rating' && question.scale === 10
          ? promoterScore(given.map(({ text }) => Number(text)))
          : null,
    }
  })
}

/** The answers to one question; older clients number the questions instead of naming them. */
function readValues(properties: JsonObject, id: string, index: number): readonly string[] {
  const legacy = index === 0 ? '$survey_response' : `$survey_response_${index}`
  const value = properties[`$survey_response_${id}`] ?? properties[legacy] ?? null
  const values = Array.isArray(value) ? value : [value]
  return values
    .flatMap((one) => (typeof one === 'string' || typeof one === 'number' ? [String(one)] : []))
    .filter((one) => one !== '')
}

/** What was given beside the choices is what a person wrote: one line for those who must not read it. */
function countValues(question: Question, values: readonly string[], withTexts: boolean) {
  const choices = question.choices === undefined ? null : new Set(question.choices)
  const counts = new Map<string, number>()
  for (const value of values) {
    const name = withTexts || choices === null || choices.has(value) ? value : 'Other'
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count || one.value.localeCompare(other.value, 'en', { numeric: true }))
}

/** Of ratings from 0 to 10: the part of 9 and 10 less that of 0 to 6, in hundredths (net promoter score). */
function promoterScore(ratings: readonly number[]): number | null {
  const valid = ratings.filter((rating) => rating >= 0 && rating <= 10)
  if (valid.length === 0) return null
  const promoters = valid.filter((rating) => rating >= 9).length
  const detractors = valid.filter((rating) => rating <= 6).length
  return Math.round(((promoters - detractors) / valid.length) * 100)
}
