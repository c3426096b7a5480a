// A reporter of vitest: names each test that failed first and passed then, a race of its own or of the product.
import { relative } from 'node:path'
import { root } from './prepare.js'

export const secondTry = 'Passed the second time: '

export default class SecondTries {
  /** @param {import('vitest/node').TestCase} test */
  onTestCaseResult(test) {
    if (test.result().state !== 'passed' || !test.diagnostic()?.retryCount) return
    process.stdout.write(`${secondTry}${relative(root, test.module.moduleId)}: ${test.fullName}\n`)
  }
}
