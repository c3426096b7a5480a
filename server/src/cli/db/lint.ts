import { type AdvisoryLevel, type Finding, readFindings, readFunctionIssues } from '../../database/index.ts'
import { instanceError } from '../../errors.ts'
import type { DatabaseOptions } from '../options.ts'
import { bold, faint, print, red, warn } from '../print.ts'
import { withTarget } from '../target.ts'

export interface LintOptions extends DatabaseOptions {
  readonly schema: readonly string[]
  readonly level: string
  readonly failOn: string
}

const lintLevels = ['warning', 'error']

/** Prints mistakes in the bodies of functions as the Supabase CLI does, and the advisories after them. */
export async function lint({ schema, level, failOn, ...place }: LintOptions): Promise<number> {
  checkLevel('--level', level, lintLevels)
  checkLevel('--fail-on', failOn, ['none', ...lintLevels])
  return withTarget(place, async ({ settings, database }) => {
    const isShown = (found: string): boolean => level === 'warning' || found === 'error'
    const functions = (await readFunctionIssues(database.sql, schema))
      .map((each) => ({ ...each, issues: each.issues.filter((issue) => isShown(issue.level)) }))
      .filter(({ issues }) => issues.length > 0)
    if (functions.length === 0) warn('No schema errors found')
    else print(JSON.stringify(functions, null, 2))
    const findings = (await readFindings(database.sql, settings.rest.schemas)).filter(
      (each) => each.level === 'error' || (each.level === 'warn' && level === 'warning'),
    )
    printFindings(findings)
    const levels = [
      ...functions.flatMap(({ issues }) => issues.map((issue) => issue.level)),
      ...findings.map((each) => (each.level === 'error' ? 'error' : 'warning')),
    ]
    const fails = failOn === 'none' ? false : failOn === 'error' ? levels.includes('error') : levels.length > 0
    return fails ? 1 : 0
  })
}

export interface AdvisorsOptions extends DatabaseOptions {
  readonly type: string
  readonly level: string
  readonly failOn: string
  readonly json?: boolean
}

const advisoryLevels: readonly string[] = ['info', 'warn', 'error'] satisfies readonly AdvisoryLevel[]

/** Prints what a schema should not have. */
export async function advisors({ type, level, failOn, json = false, ...place }: AdvisorsOptions): Promise<number> {
  checkLevel('--type', type, ['all', 'security', 'performance'])
  checkLevel('--level', level, advisoryLevels)
  checkLevel('--fail-on', failOn, ['none', ...advisoryLevels])
  return withTarget(place, async ({ settings, database }) => {
    const rank = (name: string): number => advisoryLevels.indexOf(name)
    const findings = (await readFindings(database.sql, settings.rest.schemas)).filter(
      (each) => (type === 'all' || each.kind === type) && rank(each.level) >= rank(level),
    )
    if (json) print(JSON.stringify(findings, null, 2))
    else if (findings.length === 0) print('No issues found')
    else printFindings(findings)
    return failOn !== 'none' && findings.some((each) => rank(each.level) >= rank(failOn)) ? 1 : 0
  })
}

/** The findings by what they are, the worst first. */
function printFindings(findings: readonly Finding[]): void {
  const names = [...new Set(findings.map(({ name }) => name))]
  const groups = names.map((name) => findings.filter((each) => each.name === name))
  const ranked = [...advisoryLevels].reverse().flatMap((level) => groups.filter(([first]) => first?.level === level))
  for (const [first, ...rest] of ranked) {
    if (first === undefined) continue
    print(`\n${first.level === 'error' ? red(first.level) : first.level}  ${bold(first.name)}  ${first.title}`)
    for (const { object } of [first, ...rest]) print(`  ${object}`)
    print(faint(`  ${first.remedy}`))
  }
}

function checkLevel(option: string, value: string, allowed: readonly string[]): void {
  if (!allowed.includes(value))
    throw instanceError('CLEW_START_SETTING', { message: `${option} is "${value}"; allowed: ${allowed.join(', ')}` })
}
