import { catalogue } from '../../ground/errors/catalogue.ts'

/**
 * The errors of the analytics service. The statuses decide what the official clients do next: they drop on 4xx
 * and send again on 5xx, so only what can get better may be 5xx.
 */
export const analyticsError = catalogue({
  CLEW_INGEST_ENCODING: {
    status: 400,
    message: 'The body could not be decoded.',
    hint: 'Send JSON, gzip, base64 or lz64 of JSON, or a form field `data`.',
  },
  CLEW_INGEST_JSON: { status: 400, message: 'The body is not JSON.', hint: 'Check the body that was sent.' },
  CLEW_INGEST_TOO_DEEP: {
    status: 400,
    message: 'The body’s JSON is nested too deep.',
    hint: 'Send less nested properties, or raise json_depth in the settings.',
  },
  CLEW_INGEST_NO_EVENTS: {
    status: 400,
    message: 'The request holds no events.',
    hint: 'Send one event, an array of events, or an object with `batch`.',
  },
  CLEW_INGEST_BAD_EVENT: {
    status: 400,
    message: 'No event of the request could be taken.',
    hint:
      'Each event needs a name and a distinct id; a recording message its session id and its data; and none that identifies a ' +
      'person or a group has `$process_person_profile` false.',
  },
  CLEW_INGEST_NO_DISTINCT_ID: {
    status: 400,
    message: 'The request names no distinct id.',
    hint: 'Send `distinct_id`.',
  },
  CLEW_INGEST_CONSENT: {
    status: 400,
    message: 'The request does not say what the visitor decided.',
    hint: 'Send `granted` as true or false.',
  },
  CLEW_INGEST_TOKEN: {
    status: 401,
    message: 'The project token is missing, unknown, or not the same in all events.',
    hint: 'Initialise the client with the token that the console shows under Settings, Keys.',
  },
  CLEW_INGEST_SECRET_KEY: {
    status: 401,
    message: 'This needs the secret key of the project as a bearer token.',
    hint: 'Send `Authorization: Bearer <secret key>`, from a server only.',
  },
  CLEW_INGEST_NOT_FOUND: {
    status: 404,
    message: 'There is nothing at this path.',
    hint: 'Check the path and the `api_host` of the client.',
  },
  CLEW_INGEST_TOO_LARGE: {
    status: 413,
    message: 'The body, or its only event, is larger than allowed, or holds more events or values.',
    hint: 'Send fewer events at once, or raise the limit in the settings.',
  },
  CLEW_INGEST_FULL: {
    status: 503,
    message: 'Too much waits to be stored, or the disk is nearly full; nothing was taken.',
    hint: 'Send again later. Operators: look at the health of ClickHouse and at the free disk.',
  },
  CLEW_INGEST_BUSY: {
    status: 503,
    message: 'Too many large bodies wait to be read; nothing was taken.',
    hint: 'Send again later, or send smaller batches.',
  },
  CLEW_INGEST_UNWRITABLE: {
    status: 503,
    message: 'The events could not be written to the disk; nothing was taken.',
    hint: 'Send again later. Operators: look at the free disk of the data directory.',
  },
  CLEW_EVENTS_PLACE: {
    status: 400,
    message: 'The place in the list of events cannot be read.',
    hint: 'Send the id of an event, or `before` as the page before gave it in `next`.',
  },
  CLEW_EVENTS_FILTER: {
    status: 400,
    message: 'The filter on a property of events cannot be read.',
    hint: 'Write property.operator.value, as plan.exact.pro or coupon.is_set; a dot in the name of the property is %2E.',
  },
  CLEW_EVENTS_NOT_FOUND: {
    status: 404,
    message: 'There is no such event.',
    hint: 'It may have been removed with its person, or its time was corrected when it was sent again: look for it in the list.',
  },
  CLEW_PEOPLE_CURSOR: {
    status: 400,
    message: 'The place in the list cannot be read.',
    hint: 'Send `before` as the page before gave it in `next`.',
  },
  CLEW_GEO_DATABASE: {
    status: 503,
    message: 'The database of places cannot be used.',
    hint: 'Name a file in MaxMind’s format with cities or countries in [analytics] geo_database, or none.',
  },
  CLEW_GROUPS_NOT_FOUND: {
    status: 404,
    message: 'There is no such group.',
    hint: 'Check its type and key: a group appears with the first event that names it.',
  },
  CLEW_GROUPS_PLACE: { status: 400, message: '`before` is no place in the list.', hint: 'Send what `next` said.' },
  CLEW_PEOPLE_NOT_FOUND: {
    status: 404,
    message: 'There is no such person.',
    hint: 'It may have been merged into another: open it from one of its events.',
  },
  CLEW_PEOPLE_NOT_THEIRS: {
    status: 409,
    message: 'An id that is to be separated is not one of this person’s.',
    hint: 'It may have been separated by another operator: reload the person.',
  },
  CLEW_PEOPLE_NOTHING_LEFT: {
    status: 409,
    message: 'The person would be left without an id.',
    hint: 'Leave at least one id with the person.',
  },
  CLEW_CAPTURE_SETTING_NOT_FOUND: {
    status: 404,
    message: 'There is no such setting of capture.',
    hint: 'The list of settings has their names.',
  },
  CLEW_CAPTURE_SETTING_PINNED: {
    status: 409,
    message: 'The console does not change this setting: the environment or a file says it.',
    hint: 'Details say where: change it there, or take it away there.',
  },
  CLEW_CAPTURE_SETTING_CHANGED: {
    status: 409,
    message: 'The setting was changed meanwhile.',
    hint: 'Look at what it is now, and save again if yours is to replace it.',
  },
  CLEW_CAPTURE_SETTING_VALUE: {
    status: 400,
    message: 'The setting does not allow this value.',
    hint: 'Details say what is allowed.',
  },
})
