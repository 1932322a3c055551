import { describe, expect, test } from 'vitest'
import type { AuthConfig } from '../../src/index.ts'
import { open, policyOf, recordingConfig } from './recording-config.ts'

describe('a theme', () => {
  const OUT = [
    'red}</style><script>alert(1)</script>',
    'red; background: url(https://evil.test)',
    'url(https://evil.test/x)',
    'rgb(0,0,0);} body{display:none',
    'var(--x)',
    'expression(alert(1))',
    '#fff/**/',
    'red\\3c',
    'image-set("https://evil.test")',
  ]

  test.each(OUT)('cannot break out of the style sheet: %s', async (color) => {
    const style = { brandColor: color, bg: color }
    const provider = {
      id: 'op',
      name: 'OP',
      type: 'oidc',
      issuer: 'https://op.test',
      style,
    } as const
    const themes: Partial<AuthConfig>[] = [
      { theme: { brandColor: color, buttonText: color } },
      { providers: [provider] },
    ]
    for (const overrides of themes) {
      const [, html] = await open(recordingConfig(overrides).config, 'signin')
      expect(html).not.toContain(color)
      expect(html).not.toMatch(/evil|<script|alert|display:none/)
      expect(html.match(/<\/style>/g)).toHaveLength(1)
    }
  })

  test.each([
    '#123',
    '#1f5fbf',
    '#1f5fbf80',
    'navy',
    'rgb(1 2 3 / 50%)',
    'hsl(210, 60%, 40%)',
    'oklch(60% 0.1 250deg)',
  ])('colours buttons: %s', async (brandColor) => {
    const { config } = recordingConfig({ theme: { brandColor, buttonText: '#fefefe' } })
    const [, html] = await open(config, 'signin')
    expect(html).toContain(
      `background: ${brandColor}; border-color: ${brandColor}; color: #fefefe;`,
    )
  })

  test.each([
    ['/logo.svg', "'self' data:", true],
    ['data:image/svg+xml,%3Csvg/%3E', "'self' data:", true],
    ['https://cdn.test/logo.svg?a=1', "'self' data: https://cdn.test", true],
    ['https://cdn.test/"><script>alert(1)</script>', "'self' data: https://cdn.test", true],
    ["https://cdn.test; script-src 'unsafe-inline'", "'self' data:", false],
    ['javascript:alert(1)', "'self' data:", false],
    ['blob:https://app.test/x', "'self' data:", false],
    ['https://', "'self' data:", false],
  ])('allows a logo from its own origin only: %s', async (logo, images, isShown) => {
    const { config } = recordingConfig({ theme: { logo } })
    const [response, html] = await open(config, 'signin')
    expect(policyOf(response)['img-src']).toBe(images)
    expect(policyOf(response)).not.toHaveProperty('script-src')
    expect(html.includes('<img class="logo"')).toBe(isShown)
    expect(html).not.toMatch(/<script/)
  })

  test('cannot inject markup into a class name', async () => {
    const colorScheme = '"><script>' as 'auto'
    const [, html] = await open(recordingConfig({ theme: { colorScheme } }).config, 'signin')
    expect(html).not.toContain('<script')
  })
})
