import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { JsonObject } from '../../ground/json/object.ts'
import type { Tool } from './tools/tool.ts'

/** What a call of a tool came to. */
export interface ToolAnswer {
  readonly text: string
  readonly isError: boolean
}

/** What a message of an agent is answered from. */
export interface Conversation {
  readonly version: string
  readonly instructions: string
  readonly tools: readonly Tool[]
  readonly call: (name: string, input: JsonObject) => Promise<ToolAnswer>
}

/**
 * Answers a message of the Model Context Protocol as JSON. Each is whole by itself, so that any process answers it.
 *
 * @param message JSON-RPC, parsed
 * @see https://modelcontextprotocol.io/specification/2025-06-18/basic/transports
 */
export async function answerMessage(message: unknown, headers: Headers, conversation: Conversation): Promise<Response> {
  const { version, instructions, tools, call } = conversation
  const server = new Server({ name: 'clew', version }, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: tools.map(renderTool) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const { text, isError } = await call(params.name, params.arguments ?? {})
    return { content: [{ type: 'text', text }], isError }
  })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  // The SDK's own types differ under `exactOptionalPropertyTypes`.
  await server.connect(transport as Parameters<typeof server.connect>[0])
  try {
    const request = new Request('http://localhost/mcp', { method: 'POST', headers })
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}

const renderTool = ({ name, title, description, input, isReadOnly }: Tool) => ({
  ...{ name, title, description },
  inputSchema: { ...input, type: 'object' as const },
  annotations: { readOnlyHint: isReadOnly, destructiveHint: !isReadOnly, openWorldHint: false },
})
