import { index, type RouteConfig, route } from '@react-router/dev/routes'

export default [
  index('routes/sign-in.tsx'),
  route('notes', 'routes/notes.tsx'),
  route('auth/confirm', 'routes/confirm.ts'),
] satisfies RouteConfig
