import Type from 'typebox'
import { address, type Declared, nullable, setting, type Values } from '../../../ground/settings/setting.ts'

/** The settings of captchas; names follow `[auth.captcha]` of a `config.toml`. */
export const captchaSettings = {
  captchaEnabled: setting(Type.Boolean(), {
    default: false,
    description: 'Whether signing up and in asks for a captcha.',
  }),
  captchaProvider: setting(Type.Enum(['hcaptcha', 'turnstile']), {
    default: 'hcaptcha',
    description: 'Who checks captchas.',
  }),
  captchaSecret: setting(nullable(Type.String()), {
    default: null,
    secret: true,
    description: 'The secret that the checker gave.',
  }),
  captchaUrl: setting(nullable(address(['https', 'http'])), {
    default: null,
    description: 'Where captchas are checked, when that is not the provider’s own address.',
  }),
  captchaTimeoutSeconds: setting(Type.Integer({ minimum: 1, maximum: 9 }), {
    limit: true,
    default: 5,
    description: 'How long the checker may take.',
  }),
  maxCaptchaAnswerBytes: setting(Type.Integer({ minimum: 1024, maximum: 1_048_576 }), {
    limit: true,
    default: 65_536,
    description: 'The largest answer of the checker that is read.',
  }),
} satisfies Declared

export type CaptchaSettings = Values<typeof captchaSettings>
