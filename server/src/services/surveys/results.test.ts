import { expect, test } from 'vitest'
import { type Answer, summarise } from './results.ts'

const at = new Date('2026-03-02T10:00:00Z')
const answersOf = (...values: readonly unknown[]): Answer[] =>
  values.map((value, index) => ({
    distinctId: `p${index}`,
    sessionId: null,
    at,
    properties: { $survey_response_q: value } as Answer['properties'],
  }))
const rating = { type: 'rating', id: 'q', question: 'How?', display: 'number', scale: 10 } as const
const choice = { type: 'multiple_choice' as const, id: 'q', question: 'Which?', choices: ['Tea', 'Cake'] }
const open = { type: 'open', id: 'q', question: 'What?' } as const
const counted = (counts: readonly { readonly value: string; readonly count: number }[]) =>
  counts.map(({ value, count }) => `${value}: ${count}`)

test('what is no rating is none, for those who may read texts and for others', () => {
  for (const withTexts of [true, false]) {
    const { counts, nps } = summarise(
      rating,
      0,
      answersOf(9, '9', '0', '11', '-1', '1e1', 'my name is Ada', ['9', '9']),
      withTexts,
    )
    expect([counted(counts), nps]).toEqual([['9: 3', '0: 1'], 50])
  }
})

test('of an answer each choice counts once, and one text beside them', () => {
  const answers = answersOf(['Tea', 'Tea', 'Cake'], ['Cake', 'mine', 'more', '', 7], { a: 1 }, null)
  expect(counted(summarise(choice, 0, answers, true).counts)).toEqual(['Cake: 2', 'mine: 1', 'Tea: 1'])
  expect(counted(summarise(choice, 0, answers, false).counts)).toEqual(['Cake: 2', 'Other: 1', 'Tea: 1'])
  expect(summarise(open, 0, answersOf(['a', 'b'], 'c'), true).texts?.map(({ text }) => text)).toEqual(['a', 'c'])
  expect(summarise(open, 0, answersOf('a'), false)).toMatchObject({ texts: null, counts: [] })
})

test('a hundred different answers are told, the rarer ones are one line', () => {
  const texts = Array.from({ length: 5_000 }, (_, index) => `answer ${index}`)
  const counts = counted(summarise(choice, 0, answersOf(...texts, 'Tea'), true).counts)
  expect(counts).toHaveLength(101)
  expect(counts[0]).toBe('Other: 4901')
})
