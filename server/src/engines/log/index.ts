export { openLog, type ProcessLog } from './log.ts'

/** Lines that no drain took. */
export const droppedLinesGauge = (read: () => number) => ({
  name: 'clew_log_dropped_lines_total',
  help: 'Lines of the log since the start that an address did not take, for want of room or as it refused them',
  read,
})
