import { expect } from 'vitest'
import type { Product } from '../support/product.ts'
import { type Answers, readAnswers } from './read.ts'

/** Waits until the product answers as it is expected to: what a process has left in its spool is stored a moment after a start. */
export const expectAnswers = (product: Product, sessionId: string, answers: Answers): Promise<void> =>
  expect.poll(() => readAnswers(product, sessionId), { interval: 1000 }).toEqual(answers)
