import { expect, test } from 'vitest'
import NotionProvider from '../../src/providers/notion.ts'
import { browser } from '../../src/testing/index.ts'
import { SECRET } from '../config.ts'
import { OPTIONS } from './vendor.ts'

test('sends the callback URL to Notion with and without redirectUri', async () => {
  for (const options of [{}, { redirectUri: 'https://other.example.com/callback' }]) {
    const provider = NotionProvider({ ...OPTIONS, ...options })
    const tab = browser({ providers: [provider], secret: SECRET, trustHost: true })
    const { url } = await tab.begin('notion')
    expect(url.searchParams.getAll('redirect_uri')).toEqual([
      'https://app.test/auth/callback/notion',
    ])
  }
})
