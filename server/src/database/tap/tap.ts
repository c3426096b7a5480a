/** What a file of tests said. */
export interface TapResult {
  readonly passed: number
  readonly failed: number
  /** How many tests the file announced; null where it did not. */
  readonly planned: number | null
  /** Whether every announced test ran, and none failed but those marked `TODO`. */
  readonly isGood: boolean
}

const planLine = /^1\.\.(\d+)/
const testLine = /^(not )?ok\b(?:\s+\d+)?(.*)$/
const excused = /#\s*(?:todo|skip)\b/i

/**
 * Reads the lines of a file of tests.
 *
 * @see https://testanything.org/tap-specification.html
 */
export function parseTap(lines: readonly string[]): TapResult {
  let passed = 0
  let failed = 0
  let planned: number | null = null
  for (const line of lines) {
    const plan = planLine.exec(line)
    if (plan !== null) planned = Number(plan[1])
    const test = testLine.exec(line)
    if (test === null) continue
    if (test[1] === undefined || excused.test(test[2] ?? '')) passed += 1
    else failed += 1
  }
  const isComplete = planned === null ? passed + failed > 0 : planned === passed + failed
  return { passed, failed, planned, isGood: failed === 0 && isComplete }
}
