import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { instanceError } from '../errors.ts'

/** How a question is answered without a person. */
export interface Confirmation {
  /** Given on the command line: every question is answered with yes. */
  readonly yes?: boolean
  /** The answer of an empty line. */
  readonly byDefault: boolean
}

/**
 * Asks a question on the terminal. Without one, or with `--yes`, nothing is asked.
 *
 * @throws CLEW_NOT_CONFIRMED for no, and where there is no terminal and the answer by default is no
 */
export async function confirm(question: string, confirmation: Confirmation): Promise<void> {
  if (!(await agrees(question, confirmation))) throw instanceError('CLEW_NOT_CONFIRMED')
}

/** As `confirm`, where a no leaves out one thing of several. */
export async function agrees(question: string, { yes = false, byDefault }: Confirmation): Promise<boolean> {
  if (yes) return true
  const answer = await ask(`${question} [${byDefault ? 'Y/n' : 'y/N'}] `)
  return answer === null || answer === '' ? byDefault : /^y(es)?$/i.test(answer)
}

/** A line from the terminal; null where there is none. */
export async function ask(question: string): Promise<string | null> {
  if (process.stdin.isTTY !== true) return null
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question(question)).trim()
  } finally {
    terminal.close()
  }
}

/** A secret from the terminal, which does not show it; a line of standard input where that is no terminal. */
export async function askHidden(question: string): Promise<string | null> {
  const isTerminal = process.stdin.isTTY === true
  if (isTerminal) process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: silent, terminal: isTerminal })
  try {
    for await (const line of reader) return line.trim()
    return null
  } finally {
    reader.close()
    if (isTerminal) process.stderr.write('\n')
  }
}
