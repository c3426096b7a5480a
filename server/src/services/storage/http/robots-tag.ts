import { storageError } from '../errors.ts'

const simple = /^(?:all|noindex|nofollow|none|nosnippet|indexifembedded|notranslate|noimageindex)$/
const numeric = /^(?:max-snippet|max-video-preview):\s*-?\d+$/
const preview = /^max-image-preview:\s*(?:none|standard|large)$/
const until = /^unavailable_after:\s*(\S.*)$/
const robot = /^[a-zA-Z0-9_-]+:\s*(.+)$/

/** Commas within the date of `unavailable_after` (`Wed, 1 Jan 2031`) end no rule. */
const betweenRules = /,(?!\s*\d{1,2}\s+[A-Za-z]{3})/

/**
 * Checks the value of a header `x-robots-tag` (https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag).
 *
 * @throws InvalidRobotsTag
 */
export function checkRobotsTag(value: string): void {
  for (const rule of value.split(betweenRules).map((each) => each.trim()))
    if (!isRule(rule)) throw storageError('InvalidRobotsTag', { message: `Invalid X-Robots-Tag header: ${rule}` })
}

function isRule(rule: string): boolean {
  if (simple.test(rule) || numeric.test(rule) || preview.test(rule)) return true
  const date = until.exec(rule)?.[1]
  if (date !== undefined) return !Number.isNaN(Date.parse(date))
  const ofRobot = robot.exec(rule)?.[1]
  return ofRobot !== undefined && /^(?!max-|unavailable_)/.test(rule) && isRule(ofRobot.trim())
}
