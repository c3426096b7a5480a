import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnalyticsCase } from '../cases/analytics/case.ts'
import { analyticsCases } from '../cases/analytics/index.ts'
import { ruleOf, sections } from '../cases/analytics/sections.ts'
import { checkCase, readScriptVersion } from './check.ts'
import { type AnalyticsProduct, startAnalyticsProduct } from './product.ts'
import { prepareProject } from './project.ts'
import { type Rows, readRows } from './rows.ts'
import { scopeOf } from './scope.ts'
import { type SentCase, sendCase } from './send.ts'

/** Cases that are sent at once; each is sent in its own order. */
const atOnce = 8

const products = new Map<string, AnalyticsProduct>()
const sent = new Map<AnalyticsCase, { readonly rows: () => Rows; readonly answered: SentCase }>()

/** Sends all, then waits once until everything is stored: what is stored of each is its own. */
beforeAll(async () => {
  const version = await readScriptVersion()
  const keyOf = ({ settings = {} }: AnalyticsCase): string => JSON.stringify(settings)
  for (const key of new Set(analyticsCases.map(keyOf))) {
    const product = await startAnalyticsProduct(JSON.parse(key))
    products.set(key, product)
    await prepareProject(
      product,
      analyticsCases.filter((one) => keyOf(one) === key),
    )
  }
  const rows = new Map<AnalyticsProduct, Rows>()
  const waiting = analyticsCases.entries()
  const send = async (): Promise<void> => {
    for (const [number, one] of waiting) {
      const product = found(products.get(keyOf(one)))
      const answered = await sendCase(product, one, scopeOf(number, product, version))
      sent.set(one, { rows: () => found(rows.get(product)), answered })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, send))
  for (const product of products.values()) {
    await product.settled()
    rows.set(product, await readRows(product))
  }
}, 180_000)

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('What comes before has failed.')
  return value
}

afterAll(async () => {
  for (const product of products.values()) await product.close()
}, 60_000)

describe.each([...sections])('%s %s', (section) => {
  const cases = analyticsCases.filter((one) => ruleOf(one).section === section)
  test.each(cases.map((one) => [one.rule, one] as const))('%s', async (_rule, one) => {
    const { rows, answered } = found(sent.get(one))
    await checkCase(rows(), one, answered)
  })
})

test('every case belongs to a section, and no two have one name', () => {
  expect(analyticsCases.filter((one) => !sections.has(ruleOf(one).section))).toEqual([])
  const rules = analyticsCases.map(({ rule }) => rule)
  expect(rules.filter((rule, index) => rules.indexOf(rule) !== index)).toEqual([])
})
