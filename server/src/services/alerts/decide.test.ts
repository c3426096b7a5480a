import { expect, test } from 'vitest'
import { type AlertState, decide } from './decide.ts'
import { planRules, type Rule, type RuleId } from './rules.ts'
import { type AlertsSettings, alertsSettings } from './settings.ts'

const defaults = Object.fromEntries(
  Object.entries(alertsSettings).map(([name, { default: value }]) => [name, value]),
  // The defaults are those of the declared settings.
) as unknown as AlertsSettings
const rulesOf = (settings: Partial<AlertsSettings>) => planRules({ ...defaults, everySeconds: 30, ...settings })

function ruleOf(id: RuleId, settings: Partial<AlertsSettings> = {}): Rule {
  const rule = rulesOf(settings).find((each) => each.id === id)
  if (rule === undefined) throw new Error(`There is no rule ${id}.`)
  return rule
}

/** What is told as values are read, one each half a minute. */
function noticesOf(rule: Rule, values: readonly number[], repeatMs = Number.POSITIVE_INFINITY) {
  let state: AlertState | undefined
  return values.map((value, look) => {
    const { state: next, notice } = decide(rule, state, { value, detail: null }, look * 30_000, repeatMs)
    state = next
    return notice ?? '-'
  })
}

const errors = ruleOf('error rate', { errorPercentage: 10 })
const disk = ruleOf('disk', { diskDays: 10 })
const jobs = ruleOf('failed jobs')
const component = ruleOf('component', { downSeconds: 60 })

test.each([
  ['good values tell nothing', errors, [0, 9.9, 0], '- - -'],
  ['a value that was bad once is not told', errors, [10, 0, 10, 0], '- - - -'],
  ['the second bad value is', errors, [10, 10], '- fired'],
  ['what is told is told once', errors, [10, 10, 50, 10, 11], '- fired - - -'],
  ['it ends with the second good value', errors, [10, 10, 8, 8], '- fired - resolved'],
  ['between both limits nothing changes', errors, [10, 10, 9, 9, 9, 9], '- fired - - - -'],
  ['one that flutters is one alert', errors, [10, 10, 0, 10, 0, 10, 0, 0], '- fired - - - - - resolved'],
  ['after its end it begins anew', errors, [10, 10, 0, 0, 10, 10], '- fired - resolved - fired'],
  ['small values are bad where the rule says so', disk, [11, 10, 3, 14, 15, 20], '- - fired - - resolved'],
  [
    'an endless value is good there',
    disk,
    [3, 3, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    '- fired - resolved',
  ],
  ['one failed run is told at once, and its end as well', jobs, [0, 1, 2, 0, 0], '- fired - resolved -'],
  ['a component is given its time', component, [1, 1, 0, 1, 1, 1, 0, 0, 0], '- - - - - fired - - resolved'],
] as const)('%s', (_title, rule, values, words) => {
  expect(noticesOf(rule, values).join(' ')).toBe(words)
})

test('one that lasts is told once more', () => {
  expect(noticesOf(errors, [10, 10, 10, 10, 10, 10, 10], 60_000).join(' ')).toBe('- fired - still - still -')
})

test('a state keeps the last value, and null for one without end', () => {
  const backup = ruleOf('backup')
  const { state } = decide(backup, undefined, { value: Number.POSITIVE_INFINITY, detail: 'none' }, 0, 1)
  expect(state).toMatchObject({ phase: 'turning bad', value: null, detail: 'none' })
})

test('a rule is not there where its setting is none', () => {
  const none = { errorPercentage: null, p95Ms: null, changesBehindMib: null, downSeconds: null, diskDays: null }
  expect(
    rulesOf({ ...none, budgetPercentage: null, backupHours: null, certificateDays: null }).map(({ id }) => id),
  ).toEqual(['failed jobs'])
  for (const { bad, begins, ends } of rulesOf({ p95Ms: 100 }))
    expect(bad === 'above' ? ends < begins : ends > begins).toBe(true)
})
