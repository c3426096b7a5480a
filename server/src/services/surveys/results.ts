import type { JsonObject } from '../../ground/json/object.ts'
import type { Question, SurveyResults } from './schemas.ts'

/** One person's answers, as the event carries them. */
export interface Answer {
  readonly distinctId: string
  readonly sessionId: string | null
  readonly at: Date
  readonly properties: JsonObject
}

/** What one question came to. */
export type QuestionSummary = SurveyResults['questions'][number]

const shownTexts = 100
/** More different answers are one line: no question has as many choices. */
const shownCounts = 100
const otherAnswers = 'Other'
const byNumber = new Intl.Collator('en', { numeric: true })

/**
 * Counts the answers to one question.
 *
 * @param index     its place among the questions, by which older clients name it
 * @param withTexts whether texts that people wrote are among them
 */
export function summarise(
  question: Question,
  index: number,
  answers: readonly Answer[],
  withTexts: boolean,
): QuestionSummary {
  const { id, type, scale } = question
  const isAnswer = answerTo(question)
  const given = answers.flatMap((answer) =>
    readValues(question, index, answer.properties, isAnswer).map((text) => ({ ...answer, text })),
  )
  const values = given.map(({ text }) => text)
  const texts = given
    .slice(0, type === 'open' ? shownTexts : 0)
    .map(({ text, distinctId, sessionId, at }) => ({ text, distinctId, sessionId, at: at.toISOString() }))
  return {
    ...{ id, type, question: question.question },
    counts: type === 'open' || type === 'link' ? [] : countValues(values, withTexts ? () => true : isAnswer),
    texts: withTexts ? texts : null,
    nps: type === 'rating' && scale === 10 ? promoterScore(values.map(Number)) : null,
  }
}

/** Tells the choices and ratings that a question offers from what a person, or a program, wrote beside them. */
function answerTo({ type, choices, scale = 0 }: Question): (value: string) => boolean {
  if (type === 'rating') return (value) => /^\d{1,2}$/.test(value) && Number(value) <= scale
  const known = new Set(choices)
  return (value) => known.has(value)
}

/** The answers of one person to one question: what it offers, each once, and one text beside it. */
function readValues(
  { id, type }: Question,
  index: number,
  properties: JsonObject,
  isAnswer: (value: string) => boolean,
): readonly string[] {
  // Older clients number the questions.
  const legacy = index === 0 ? '$survey_response' : `$survey_response_${index}`
  const value = properties[`$survey_response_${id}`] ?? properties[legacy] ?? null
  const values = [value]
    .flat()
    .flatMap((one) => (typeof one === 'string' || typeof one === 'number' ? [String(one)] : []))
  const text = type === 'rating' ? undefined : values.find((one) => one !== '' && !isAnswer(one))
  return [...new Set(values.filter(isAnswer)), ...(text === undefined ? [] : [text])]
}

/** How often each value was given; those that may not be shown, and rare ones beyond a number, are one line. */
function countValues(values: readonly string[], isShown: (value: string) => boolean): QuestionSummary['counts'] {
  const counts = new Map<string, number>()
  const add = (name: string, count: number): unknown => counts.set(name, (counts.get(name) ?? 0) + count)
  for (const value of values) add(isShown(value) ? value : otherAnswers, 1)
  for (const { value, count } of sorted(counts).slice(shownCounts)) {
    counts.delete(value)
    add(otherAnswers, count)
  }
  return sorted(counts)
}

const sorted = (counts: ReadonlyMap<string, number>): QuestionSummary['counts'] =>
  [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count || byNumber.compare(one.value, other.value))

/** Of ratings from 0 to 10: the part of 9 and 10 less that of 0 to 6, in hundredths (net promoter score). */
function promoterScore(ratings: readonly number[]): number | null {
  const valid = ratings.filter((rating) => rating >= 0 && rating <= 10)
  if (valid.length === 0) return null
  const promoters = valid.filter((rating) => rating >= 9).length
  const detractors = valid.filter((rating) => rating <= 6).length
  return Math.round(((promoters - detractors) / valid.length) * 100)
}
