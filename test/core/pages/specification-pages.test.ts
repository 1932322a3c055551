import { describe, expect, test } from 'vitest'
import type { OAuthProviderButtonStyles } from '../../../src/core/config/button.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import { configFor, oidc } from '../../config.ts'

const op = await issuer()

interface Page {
  readonly text: string
  /** The allowed sources of images. */
  readonly pictures: string | undefined
}

async function signInPage(style: OAuthProviderButtonStyles): Promise<Page> {
  const { config } = configFor(op, { providers: [oidc(op, { style })] })
  const response = await browser(config).request('signin')
  const policy = response.headers.get('content-security-policy') ?? ''
  return { text: await response.text(), pictures: /img-src ([^;]*)/.exec(policy)?.[1] }
}

describe('the button of a provider', () => {
  test.each<[string, OAuthProviderButtonStyles]>([
    ['brandColor', { brandColor: '#123456', bg: '#ffffff' }],
    ['bg, its former name', { bg: '#123456' }],
  ])('has its colour: %s', async (_name, style) => {
    const { text } = await signInPage(style)
    expect(text).toContain('.badge-0 { background: #123456; color: #fff')
    expect(text).toContain('<span class="badge badge-0" aria-hidden="true">T</span>')
  })

  test.each([
    ['/op.svg', "'self' data:"],
    ['https://cdn.test/op.svg?a=1', "'self' data: https://cdn.test"],
  ])('shows its logo, and the policy allows no other source: %s', async (logo, pictures) => {
    const page = await signInPage({ logo })
    expect(page.text).toContain(`<img class="badge badge-0" src="${logo}" alt="" loading="lazy" />`)
    expect(page.pictures).toBe(pictures)
  })

  test.each([
    'javascript:alert(1)',
    'https://',
    '',
    "https://cdn.test; script-src 'unsafe-inline'",
  ])('shows its initial if the logo is invalid: %s', async (logo) => {
    const page = await signInPage({ logo })
    expect(page.text).not.toContain('<img')
    expect(page.text).toContain('aria-hidden="true">T</span>')
    expect(page.pictures).toBe("'self' data:")
  })
})
