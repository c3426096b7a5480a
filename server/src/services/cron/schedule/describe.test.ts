import { expect, test } from 'vitest'
import { describeSchedule } from './describe.ts'
import { parseSchedule } from './parse.ts'

test.for([
  ['* * * * *', 'every minute'],
  ['*/15 * * * *', 'every 15 minutes'],
  ['0 * * * *', 'every hour'],
  ['5 * * * *', 'every hour at minute 5'],
  ['5,35 * * * *', 'every hour at minute 5 and 35'],
  ['0 */2 * * *', 'every 2 hours every day'],
  ['10 */6 * * *', 'every 6 hours at minute 10 every day'],
  ['30 3 * * *', 'at 03:30 every day'],
  ['0 9,17 * * 1-5', 'at 09:00 and 17:00 on Monday to Friday'],
  ['*/10 8-17 * * mon', 'every 10 minutes of hour 08–17 on Monday'],
  ['* 8-9 * * *', 'every minute of hour 08 and 09 every day'],
  ['0 0 1 * *', 'at 00:00 on day 1 of the month'],
  ['0 0 1,15 jan,jul *', 'at 00:00 on day 1 and 15 of the month in January and July'],
  ['0 0 $ * *', 'at 00:00 on the last day of the month'],
  ['0 0 13 * 5', 'at 00:00 on day 13 of the month or on Friday'],
  ['0 12 * * 6,7', 'at 12:00 on Sunday, Saturday'],
  ['@weekly', 'at 00:00 on Sunday'],
  ['@reboot', 'when Clew starts'],
  ['1 second', 'every second'],
  ['30 seconds', 'every 30 seconds'],
  ['every tuesday', null],
] as const)('%j is %j', ([text, words]) => {
  expect(describeSchedule(parseSchedule(text))).toBe(words)
})
