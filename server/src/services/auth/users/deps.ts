import type { Hooks } from '../hooks/hooks.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Database } from '../store/database.ts'
import type { UserSettings } from './settings.ts'

/** What the creation and finding of users needs of the rest of the service. */
export interface UsersDeps extends Pick<Sessions, 'checkAdmin'> {
  readonly database: Database
  readonly hooks: Pick<Hooks, 'beforeUserCreated' | 'afterUserCreated'>
  readonly now: () => Date
  readonly newId: () => string
  readonly settings: UserSettings & { readonly jwtAdminRoles: readonly string[] }
}
