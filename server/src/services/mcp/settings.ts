import Type from 'typebox'
import { type Declared, setting, type Values } from '../../ground/settings/setting.ts'

/** The settings of the tools for agents. */
export const mcpSettings = {
  enabled: setting(Type.Boolean(), {
    default: true,
    description:
      'Whether agents reach the tools of the Model Context Protocol, with an access token that is for agents.',
  }),
  sqlWrites: setting(Type.Boolean(), {
    default: false,
    description: 'Whether SQL of agents may change data, where their operator may. Otherwise it only reads.',
  }),
  maxRows: setting(Type.Integer({ minimum: 1, maximum: 100_000 }), {
    limit: true,
    default: 200,
    description: 'Rows of a result of SQL that an agent is given; sql_editor.max_rows, where that is less.',
  }),
  maxAnswerKib: setting(Type.Integer({ minimum: 1, maximum: 16_384 }), {
    limit: true,
    default: 96,
    description: 'Size of a tool’s answer; a longer one is cut, and says so.',
  }),
  callSeconds: setting(Type.Integer({ minimum: 1, maximum: 600 }), {
    limit: true,
    default: 30,
    description: 'How long a call of a tool may take; its statements are cancelled then.',
  }),
  maxCalls: setting(Type.Integer({ minimum: 1, maximum: 1_000 }), {
    limit: true,
    default: 8,
    description: 'Calls of tools that each process works on at a time; as many wait.',
  }),
} as const satisfies Declared

/** The values of `mcpSettings`. */
export type McpSettings = Values<typeof mcpSettings>
