export { mcpError } from './errors.ts'
export { type McpDeps, mcpRoutes } from './routes.ts'
export { type McpSettings, mcpSettings } from './settings.ts'
