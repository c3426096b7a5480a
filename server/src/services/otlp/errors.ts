import { catalogue } from '../../ground/errors/catalogue.ts'

/** Every way in which spans and logs are refused (otlp §3). */
export const otlpError = catalogue({
  CLEW_OTLP_DATA: {
    status: 400,
    message: 'The body is not what its content type says.',
    hint: 'Send an export request of OTLP 1 as Protobuf or JSON.',
  },
  CLEW_OTLP_TOO_DEEP: {
    status: 400,
    message: 'The body nests deeper than allowed.',
    hint: 'Flatten attributes, or raise json_depth in the settings.',
  },
  CLEW_OTLP_ENCODING: {
    status: 400,
    message: 'The body is not encoded as its content encoding says.',
    hint: 'Compress it with gzip, or not at all.',
  },
  CLEW_OTLP_KEY: {
    status: 401,
    message: 'This needs the secret key of the project.',
    hint: 'Set OTEL_EXPORTER_OTLP_HEADERS to apikey=<secret key>, on a server only.',
  },
  CLEW_OTLP_METHOD: {
    status: 405,
    message: 'Spans and logs are posted.',
    hint: 'Send POST.',
  },
  CLEW_OTLP_TOO_LARGE: {
    status: 413,
    message: 'The body is larger than allowed, or holds more spans, records or values.',
    hint: 'Send fewer at once, or raise the limit in the settings.',
  },
  CLEW_OTLP_TYPE: {
    status: 415,
    message: 'Spans and logs are Protobuf or JSON.',
    hint: 'Send application/x-protobuf or application/json, as OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf does.',
  },
  CLEW_OTLP_FULL: {
    status: 503,
    message: 'Too much waits to be stored, or the disk is nearly full; nothing was taken.',
    hint: 'Send again later. Operators: look at the health of ClickHouse and at the free disk.',
  },
  CLEW_OTLP_BUSY: {
    status: 503,
    message: 'Too many large bodies wait to be read; nothing was taken.',
    hint: 'Send again later, or send smaller batches.',
  },
  CLEW_OTLP_UNWRITABLE: {
    status: 503,
    message: 'The batch could not be written to the disk; nothing was taken.',
    hint: 'Send again later. Operators: look at the free disk of the data directory.',
  },
})
