import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnalyticsCase } from '../cases/analytics/case.ts'
import { analyticsCases } from '../cases/analytics/index.ts'
import { ruleOf, sections } from '../cases/analytics/sections.ts'
import { checkCase, readScriptVersion } from './check.ts'
import { type AnalyticsProduct, startAnalyticsProduct } from './product.ts'
import { prepareProject } from './project.ts'
import { scopeOf } from './scope.ts'
import { type SentCase, sendCase } from './send.ts'

/** Cases that are sent at once; each is sent in its own order. */
const atOnce = 8

const products = new Map<string, AnalyticsProduct>()
const sent = new Map<AnalyticsCase, { readonly product: AnalyticsProduct; readonly answered: SentCase }>()

/** Sends all, then waits once until everything is stored: what is stored of each is its own. */
beforeAll(async () => {
  const version = await readScriptVersion()
  for (const { settings = {} } of analyticsCases) {
    const key = JSON.stringify(settings)
    if (products.has(key)) continue
    const product = await startAnalyticsProduct(settings)
    products.set(key, product)
    await prepareProject(product)
  }
  const waiting = analyticsCases.entries()
  const send = async (): Promise<void> => {
    for (const [number, one] of waiting) {
      const product = products.get(JSON.stringify(one.settings ?? {}))
      if (product === undefined) throw new Error('Its product was not started.')
      const answered = await sendCase(product, one, scopeOf(number, product, version))
      sent.set(one, { product, answered })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, send))
  for (const product of products.values()) await product.settled()
}, 180_000)

afterAll(async () => {
  for (const product of products.values()) await product.close()
}, 60_000)

describe.each([...sections])('%s %s', (section) => {
  const cases = analyticsCases.filter((one) => ruleOf(one).section === section)
  test.each(cases.map((one) => [one.rule, one] as const))('%s', async (_rule, one) => {
    const found = sent.get(one)
    if (found === undefined) throw new Error('It was not sent.')
    await checkCase(found.product, one, found.answered)
  })
})

test('every case belongs to a section, and no two have one name', () => {
  expect(analyticsCases.filter((one) => !sections.has(ruleOf(one).section))).toEqual([])
  expect(new Set(analyticsCases.map(({ rule }) => rule)).size).toBe(analyticsCases.length)
})
