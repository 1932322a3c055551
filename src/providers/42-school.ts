import { accountId } from '../core/flows/oauth/account-id.ts'
import type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

export type { OAuth2Config, OAuthUserConfig } from '../core/config/provider.ts'

/** A picture. */
export interface Image {
  link: string | null
  versions?: {
    large?: string | null
    medium?: string | null
    small?: string | null
    micro?: string | null
  }
}

/** An achievement of a user. */
export interface Achievement {
  id: number
  name: string
  description: string
  tier: string
  kind: string
  visible: boolean
  /** A path. */
  image: string | null
  nbr_of_success: number | null
  users_url: string
}

/** The membership of a user in a campus. */
export interface CampusUser {
  id: number
  user_id: number
  campus_id: number
  is_primary: boolean
  created_at?: string
  updated_at?: string
}

/** A campus of 42. */
export interface Campus {
  id: number
  name: string
  time_zone: string
  language: { id: number; name: string; identifier: string }
  users_count: number
  vogsphere_id: number
  country?: string
  city?: string
}

/** The progress of a user in a cursus. */
export interface CursusUser {
  id: number
  cursus_id: number
  grade: string | null
  level: number
  skills: { id: number; name: string; level: number }[]
  blackholed_at: string | null
  begin_at: string | null
  end_at: string | null
  has_coalition: boolean
  user: UserData
  cursus: { id: number; created_at: string; name: string; slug: string }
}

/** An expertise of a user. */
export interface ExpertisesUser {
  id: number
  expertise_id: number
  user_id: number
  interested: boolean
  value: number
  contact_me: boolean
  created_at: string
}

/** A language of a user. */
export interface LanguagesUser {
  id: number
  language_id: number
  user_id: number
  /** Rank among the languages of the user. */
  position: number
  created_at: string
}

/** A project of a user. */
export interface ProjectUser {
  id: number
  occurrence: number
  final_mark: number | null
  status: string
  'validated?': boolean | null
  current_team_id: number | null
  project: { id: number; name: string; slug: string; parent_id: number | null }
  cursus_ids: number[]
  marked_at: string | null
  marked: boolean
  retriable_at: string | null
}

/** A title of a user. */
export interface TitlesUser {
  id: number
  user_id: number
  title_id: number
  selected: boolean
}

/** What 42 School returns of each user. */
export interface UserData {
  id: number
  login: string
  email: string
  first_name: string
  last_name: string
  usual_full_name: string | null
  usual_first_name: string | null
  displayname: string
  url: string
  image: Image | null
  phone: string | null
  kind: string
  'staff?': boolean
  'alumni?'?: boolean
  'active?'?: boolean
  correction_point: number
  pool_month: string | null
  pool_year: string | null
  location: string | null
  wallet: number
  created_at: string
  updated_at: string
}

/** User of 42 School (`GET /v2/me`). */
export interface FortyTwoProfile extends UserData, Omit<Profile, keyof UserData> {
  achievements?: Achievement[]
  campus?: Campus[]
  campus_users?: CampusUser[]
  cursus_users?: CursusUser[]
  expertises_users?: ExpertisesUser[]
  languages_users?: LanguagesUser[]
  projects_users?: ProjectUser[]
  /** In `name`, `%login` stands for the login. */
  titles?: { id: number; name: string }[]
  titles_users?: TitlesUser[]
}

/**
 * 42 School (OAuth).
 *
 * `trustEmail` is `false`: the profile has no `email_verified`.
 *
 * @see https://api.intra.42.fr/apidoc/guides/web_application_flow
 * @example
 * ```ts
 * import FortyTwo from 'lib-auth/providers/42-school'
 *
 * // AUTH_42_SCHOOL_ID and AUTH_42_SCHOOL_SECRET are read where options are left out.
 * export const providers = [FortyTwo]
 * ```
 */
export default function FortyTwo<const Id extends string = ''>(
  options: OAuthUserConfig<FortyTwoProfile, Id> = {},
): OAuth2Config<FortyTwoProfile, '42-school', Id> {
  return {
    id: '42-school',
    name: '42 School',
    type: 'oauth',
    authorization: {
      url: 'https://api.intra.42.fr/oauth/authorize',
      params: { scope: 'public' },
    },
    token: 'https://api.intra.42.fr/oauth/token',
    client: { token_endpoint_auth_method: 'client_secret_post' },
    userinfo: 'https://api.intra.42.fr/v2/me',
    profile: (profile) => ({
      id: accountId(profile.id),
      name: profile.usual_full_name ?? profile.login ?? null,
      email: profile.email ?? null,
      image: profile.image?.link ?? null,
    }),
    style: { icon: () => import('./_icons/42.ts') },
    options,
  }
}
