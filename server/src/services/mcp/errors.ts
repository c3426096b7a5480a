import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of the tools for agents. */
export const mcpError = catalogue({
  CLEW_MCP_METHOD: {
    status: 405,
    message: 'Messages are sent with POST: nothing is sent that was not asked for, and there is no session to end.',
    hint: 'Use a client of the streamable HTTP transport.',
  },
  CLEW_MCP_BUSY: {
    status: 429,
    message: 'As many calls as max_calls of [mcp] allows are under way, and as many wait.',
    hint: 'Try again in a moment.',
  },
  CLEW_MCP_NO_TOOL: {
    status: 404,
    message: 'There is no such tool, or your operator may not use it.',
    hint: 'List the tools; owners and developers have more of them than analysts.',
  },
  CLEW_MCP_BAD_ARGUMENTS: {
    status: 400,
    message: 'The arguments are not those of the tool.',
    hint: 'Read the input schema of the tool.',
  },
  CLEW_MCP_TOO_SLOW: {
    status: 504,
    message: 'The call took longer than call_seconds of [mcp] allows, and was cancelled.',
    hint: 'Ask for less: a shorter range of time, fewer rows.',
  },
})
