/** Bytes of one spool that were no record; the metrics add up those of several spools. */
export const damagedBytesGauge = (read: () => number) => ({
  name: 'clew_spool_damaged_bytes_total',
  help: 'Bytes of the spools since the start that were no record and were left out',
  read,
})

/** Rows that one consumer set aside; the metrics add up those of several consumers. */
export const refusedRowsGauge = (read: () => number) => ({
  name: 'clew_refused_rows_total',
  help: 'Rows since the start that an engine refused for what they are, set aside in the spool’s folder refused',
  read,
})
