import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares two texts in time that tells nothing about where, or whether in length, they differ. */
export function equalInConstantTime(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(left), digest(right))
}
