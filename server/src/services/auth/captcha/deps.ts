import type { Sessions } from '../sessions/sessions.ts'
import type { CaptchaSettings } from './settings.ts'

/** What the check of captchas needs of the rest of the service. */
export interface CaptchaDeps extends Pick<Sessions, 'checkAdmin'> {
  readonly settings: CaptchaSettings
}
