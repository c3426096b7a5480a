/** The version of the reference server whose protocol this is, where the protocol tells it. */
export const protocolVersion = '17 (pre-release)'

/** Where that protocol is documented. */
export const protocolDocumentation = 'https://postgrest.org/en/latest/references/api.html'
