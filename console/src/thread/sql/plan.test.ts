import { expect, test } from 'vitest'
import { readPlan } from './plan.ts'

const scan = { 'Node Type': 'Seq Scan', 'Relation Name': 'orders', Filter: '(total > 5)', 'Plan Rows': 10 }

test('a step is measured without those below it, over all its runs, and the worst is marked', () => {
  const plan = readPlan(
    JSON.stringify([
      {
        Plan: {
          ...{ 'Node Type': 'Nested Loop', 'Join Type': 'Inner', 'Plan Rows': 30 },
          ...{ 'Total Cost': 100, 'Actual Total Time': 10, 'Actual Rows': 30, 'Actual Loops': 1 },
          Plans: [
            { ...scan, 'Total Cost': 20, 'Actual Total Time': 2, 'Actual Rows': 3, 'Actual Loops': 1 },
            {
              ...{ 'Node Type': 'Index Scan', 'Index Name': 'lines_pkey', 'Plan Rows': 1 },
              ...{ 'Total Cost': 8, 'Actual Total Time': 2, 'Actual Rows': 10, 'Actual Loops': 3 },
            },
          ],
        },
        ...{ 'Planning Time': 0.5, 'Execution Time': 11 },
      },
    ]),
  )
  expect(plan).toMatchObject({ isMeasured: true, planningMs: 0.5, executionMs: 11 })
  expect(plan?.steps).toMatchObject([
    { title: 'Inner Nested Loop', depth: 0, own: 2, rows: 30, isWorst: false },
    { title: 'Seq Scan', on: 'orders', condition: '(total > 5)', depth: 1, own: 2, isWorst: false },
    { title: 'Index Scan', on: 'lines_pkey', own: 6, part: 0.6, rows: 30, isWorst: true },
  ])
})

test('a plan that was not run is weighed by its cost', () => {
  const plan = readPlan(JSON.stringify([{ Plan: { ...scan, 'Total Cost': 20 } }]))
  expect(plan).toMatchObject({ isMeasured: false, executionMs: null, steps: [{ own: 20, part: 1, isWorst: false }] })
})

test.each(['', 'null', '[]', '{"Plan": 1}', '[[1]]'])('%j is no plan', (json) => {
  expect(readPlan(json)).toBeNull()
})
