import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { issuer } from '../../../src/testing/index.ts'
import { recordAudit } from '../../audit.ts'
import { site } from '../../oauth.ts'

const op = await issuer()

beforeEach(() => op.reset())
afterEach(() => void vi.restoreAllMocks())

interface Refusal {
  readonly error: string
  readonly description?: string
  readonly prompt?: string
}

/** The first lines that the console shows, by level, and the audit event. */
async function refused({ error, description, prompt }: Refusal) {
  const lines: string[] = []
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((text) => {
      lines.push(`${level}: ${String(text).split('\n')[0]}`)
    })
  const { audit, types } = recordAudit()
  const params = { scope: 'openid', ...(prompt !== undefined && { prompt }) }
  const on = site(op, {
    config: { logger: undefined, audit },
    provider: { authorization: { params } },
  })
  op.misbehaviour.authorization = (parameters) => {
    parameters.delete('code')
    parameters.set('error', error)
    if (description !== undefined) parameters.set('error_description', description)
    return parameters
  }
  const response = await on.tab.signIn('op')
  expect(response.headers.get('location')).toContain('/auth/signin?error=OAuthCallbackError')
  expect(types()).toEqual(['signin failure'])
  return lines.join('\n')
}

test.each<Refusal>([
  { error: 'access_denied' },
  { error: 'login_required', prompt: 'none' },
  { error: 'consent_required', prompt: 'none' },
  { error: 'interaction_required', prompt: 'none' },
  { error: 'account_selection_required', prompt: 'none' },
])(
  'a sign-in that the user has not completed at the provider is information: %o',
  async (refusal) => {
    const text = await refused(refusal)
    expect(text).toMatch(/^info: \[auth\]\[info\] OAuthCallbackError: /)
    expect(text).toContain(`${refusal.error})`)
    expect(text).not.toContain('\n')
  },
)

test.each<Refusal>([
  { error: 'login_required' },
  { error: 'consent_required', prompt: 'consent' },
  { error: 'server_error' },
  { error: 'temporarily_unavailable', prompt: 'none' },
  { error: 'invalid_scope', prompt: 'none' },
  { error: 'unauthorized_client' },
  { error: 'unsupported_response_type' },
  { error: 'invalid_request' },
  { error: 'access_denied', description: 'The redirect URI is not registered.' },
])('every other error of the authorization response is logged as an error: %o', async (refusal) => {
  expect(await refused(refusal)).toMatch(/^warn: \[auth\]\[error\] OAuthCallbackError: /)
})
