/** The columns of `spans`, in the order of a line's values. */
export const spanColumns = (
  'trace_id span_id parent_span_id time start_ns duration_ns name kind service scope status status_message session_id ' +
  'attributes resource events dropped'
).split(' ')

/** The columns of `server_logs`, in the order of a line's values. */
export const logColumns =
  'id time time_ns trace_id span_id session_id service scope level event_name text attributes resource dropped'.split(
    ' ',
  )
