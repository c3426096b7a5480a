import { catalogue } from '../../ground/errors/catalogue.ts'

/**
 * The errors of the REST service itself. Errors of PostgreSQL keep their SQLSTATE.
 *
 * @see https://docs.postgrest.org/en/stable/references/errors.html
 */
export const restError = catalogue({
  PGRST000: {
    status: 503,
    message: 'Database connection error.',
    hint: 'Check that PostgreSQL runs and accepts connections.',
  },
  PGRST001: {
    status: 503,
    message: 'Database client error. Retrying the connection.',
    hint: 'Try again; the connection was lost in the middle of the request.',
  },
  PGRST002: {
    status: 503,
    message: 'Could not query the database for the schema cache. Retrying.',
    hint: 'Check that PostgreSQL runs and that the catalogues can be read.',
  },
  PGRST003: {
    status: 504,
    message: 'Timed out acquiring connection from connection pool.',
    hint: 'Raise the pool size, or find the statements that hold connections.',
  },
  PGRST100: {
    status: 400,
    message: 'The query string could not be read.',
    hint: 'Check the operator: ?age=gte.18.',
  },
  PGRST101: {
    status: 405,
    message: 'Cannot use this method on RPC',
    hint: 'Call functions by GET, HEAD or POST.',
  },
  PGRST102: {
    status: 400,
    message: 'Empty or invalid json',
    hint: 'Send JSON, CSV or a form, with the Content-Type that says so.',
  },
  PGRST103: {
    status: 416,
    message: 'Requested range not satisfiable',
    hint: 'Ask for a limit of zero or more and an offset within the rows.',
  },
  PGRST105: {
    status: 405,
    message: "Filters must include all and only primary key columns with 'eq' operators",
    hint: 'Name each column of the primary key once, with eq.',
  },
  PGRST106: {
    status: 406,
    message: 'Invalid schema',
    hint: 'Ask for an exposed schema, or expose this one in the settings.',
  },
  PGRST107: {
    status: 406,
    message: 'None of these media types are available',
    hint: 'Accept application/json.',
  },
  PGRST108: {
    status: 400,
    message: 'It is not an embedded resource in this request',
    hint: 'Put the relation into select before filtering, ordering or limiting it.',
  },
  PGRST111: {
    status: 500,
    message: 'response.headers guc must be a JSON array composed of objects with a single key and a string value',
    hint: `Set it as '[{"X-Name": "value"}]'.`,
  },
  PGRST112: {
    status: 500,
    message: 'response.status guc must be a valid status code',
    hint: 'Set a number from 200 to 599.',
  },
  PGRST114: {
    status: 400,
    message: 'limit/offset querystring parameters are not allowed for PUT',
    hint: 'Leave limit and offset away.',
  },
  PGRST115: {
    status: 400,
    message: 'Payload values do not match URL in primary key column(s)',
    hint: 'Send one object whose key columns equal those of the URL.',
  },
  PGRST116: {
    status: 406,
    message: 'Cannot coerce the result to a single JSON object',
    hint: 'Filter until exactly one row is left, or accept an array.',
  },
  PGRST117: {
    status: 405,
    message: 'Unsupported HTTP method',
    hint: 'Use GET, HEAD, POST, PATCH, PUT, DELETE or OPTIONS.',
  },
  PGRST118: {
    status: 400,
    message: 'A related order is not possible',
    hint: 'Order by an embed that has at most one row.',
  },
  PGRST121: {
    status: 500,
    message: `Could not parse JSON in the "RAISE SQLSTATE 'PGRST'" error`,
    hint: 'Raise it with JSON in MESSAGE and DETAIL.',
  },
  PGRST122: {
    status: 400,
    message: 'Invalid preferences given with handling=strict',
    hint: 'Correct the preference, or leave handling=strict away.',
  },
  PGRST123: {
    status: 400,
    message: 'Use of aggregate functions is not allowed',
    hint: 'Allow aggregates in the settings, or use a view.',
  },
  PGRST124: {
    status: 400,
    message: 'Query result exceeds max-affected preference constraint',
    hint: 'Filter more narrowly, or raise max-affected.',
  },
  PGRST125: {
    status: 404,
    message: 'Invalid path specified in request URL',
    hint: 'Ask for /{relation} or /rpc/{function}.',
  },
  PGRST126: {
    status: 404,
    message: 'Root endpoint metadata is disabled',
    hint: 'Enable the OpenAPI description in the settings.',
  },
  PGRST127: {
    status: 400,
    message: 'Feature not implemented',
    hint: 'Ask for it in another way.',
  },
  PGRST128: {
    status: 400,
    message: 'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
    hint: 'Leave max-affected away for this function.',
  },
  PGRST200: {
    status: 400,
    message: 'Could not find a relationship in the schema cache',
    hint: 'Add a foreign key between the two, or correct the name.',
  },
  PGRST201: {
    status: 300,
    message: 'Could not embed because more than one relationship was found',
    hint: 'Name the foreign key: target!constraint(…).',
  },
  PGRST202: {
    status: 404,
    message: 'Could not find the function in the schema cache',
    hint: "Check the function's name and the names of its arguments.",
  },
  PGRST203: {
    status: 300,
    message: 'Could not choose the best candidate function',
    hint: 'Rename a parameter or the function, so that the names of the arguments decide.',
  },
  PGRST204: {
    status: 400,
    message: 'Could not find the column in the schema cache',
    hint: "Check the column's name.",
  },
  PGRST205: {
    status: 404,
    message: 'Could not find the table in the schema cache',
    hint: "Check the table's name, and that its schema is exposed.",
  },
  PGRST300: {
    status: 500,
    message: 'Server lacks JWT secret',
    hint: 'Configure jwt-secret, or send no token.',
  },
  PGRST301: {
    status: 401,
    message: "JWT couldn't be decoded",
    hint: 'Send a token that this server, or a key it knows, has signed.',
  },
  PGRST302: {
    status: 401,
    message: 'Anonymous access is disabled',
    hint: 'Send a key or a token.',
  },
  PGRST303: {
    status: 401,
    message: 'Parsing claims failed',
    hint: 'Refresh the token.',
  },
  CLEW_REST_BUSY: {
    status: 503,
    message: 'Too many large request bodies wait to be read.',
    hint: 'Try again, or send fewer rows at a time.',
  },
  CLEW_REST_BODY_TOO_LARGE: {
    status: 413,
    message: 'The request body is larger than this server accepts.',
    hint: 'Send fewer rows at a time, or raise max_body_bytes.',
  },
})

/** Every way the console's tables and rows refuse. */
export const dataError = catalogue({
  CLEW_DATA_RELATION_UNKNOWN: {
    status: 404,
    message: 'There is no such table or view.',
    hint: 'Reload the list of tables.',
  },
  CLEW_DATA_COLUMN_UNKNOWN: {
    status: 400,
    message: 'The table has no such column.',
    hint: 'Reload the list of tables, and choose one of its columns.',
  },
  CLEW_DATA_FILTER_INVALID: {
    status: 400,
    message: 'The filter could not be read.',
    hint: 'Write it as column.operator.value, e.g. price.gte.10.',
  },
  CLEW_DATA_SORT_INVALID: {
    status: 400,
    message: 'The sort could not be read.',
    hint: 'Write it as column.asc or column.desc.',
  },
  CLEW_DATA_QUERY_REFUSED: {
    status: 400,
    message: 'PostgreSQL refused the query.',
    hint: 'Check that the value fits the type of its column.',
  },
  CLEW_DATA_READ_ONLY: {
    status: 403,
    message: 'Rows of this table cannot be changed so.',
    hint: 'The application’s owner, role postgres, needs the right to it; a view must be updatable.',
  },
  CLEW_DATA_COLUMN_READ_ONLY: {
    status: 400,
    message: 'The column cannot be written.',
    hint: 'PostgreSQL computes it from other columns, or it holds secrets.',
  },
  CLEW_DATA_ROW_UNNAMED: {
    status: 400,
    message: 'The key does not name one row.',
    hint: 'Name each column of the primary key once; rows of a view without a key cannot be changed here.',
  },
  CLEW_DATA_IMPORT_INVALID: {
    status: 400,
    message: 'The rows to be imported could not be read.',
    hint: 'Send a line of JSON for each row, as application/x-ndjson: its line in the file, then a text or null for each column.',
  },
  CLEW_DATA_IMPORT_TOO_LARGE: {
    status: 413,
    message: 'The rows to be imported are too many.',
    hint: 'Import them in parts, or by psql; the limit is the setting rest.import_max_bytes.',
  },
  CLEW_DATA_CHANGE_EMPTY: {
    status: 400,
    message: 'The change sets no column, or sets one twice.',
    hint: 'Set each column once: to a value or to its default.',
  },
})

/** Every way that explanations of answers refuse. */
export const whyError = catalogue({
  CLEW_WHY_NOT_REST: {
    status: 400,
    message: 'Only requests of the REST service are explained.',
    hint: 'Open the request for its status, its error code and its statements.',
  },
  CLEW_WHY_STATEMENT_NOT_FOUND: {
    status: 404,
    message: 'The request has no such statement.',
    hint: 'Open the request for its statements.',
  },
  CLEW_WHY_USER_NOT_FOUND: {
    status: 404,
    message: 'There is no such user.',
    hint: 'Check the e-mail address or id, or ask as anon.',
  },
})
