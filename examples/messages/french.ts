import type { MailMessages, PageMessages } from 'lib-auth/types'

/** French texts of the built-in pages, for `theme.messages`. */
export const french: PageMessages = {
  lang: 'fr',
  logo: 'Logo',
  signInTitle: 'Se connecter à {site}',
  chooseMethod: 'Choisissez comment continuer.',
  continueWith: 'Continuer avec {provider}',
  continueWithEmail: 'Continuer avec un e-mail',
  continueAs: 'Continuer en tant que {provider}',
  moreWays: 'Autres moyens de se connecter',
  usePassword: 'Utiliser un mot de passe',
  passwordSignIn: 'Se connecter avec le mot de passe',
  createAccount: 'Nouveau ici ? Créer un compte',
  forgotPassword: 'Mot de passe oublié ?',
  signIn: 'Se connecter',
  keepSignedIn: 'Rester connecté',
  or: 'ou',
  emailAddress: 'Adresse e-mail',
  emailPlaceholder: 'nom@example.com',
  password: 'Mot de passe',
  noMethods: 'Aucune méthode de connexion n’est configurée.',
  signInFailed: 'La connexion a échoué. Réessayez.',
  tryAnotherAccount: 'La connexion a échoué. Réessayez ou utilisez un autre compte.',
  providerUnavailable: 'Le fournisseur est injoignable pour le moment. Réessayez dans un instant.',
  providerFailed:
    'Le fournisseur ne vous a pas connecté. Réessayez ou choisissez une autre méthode.',
  accountNotLinked:
    'Pour confirmer votre identité, connectez-vous avec la méthode utilisée la première fois.',
  accountOfAnotherUser:
    'Le compte choisi appartient à un autre utilisateur. Pour vous connecter avec ce compte, déconnectez-vous d’abord.',
  sessionCannotLink:
    'Le compte n’a pas été associé. Déconnectez-vous, reconnectez-vous, puis associez-le.',
  mailNotSent: 'L’e-mail n’a pas pu être envoyé. Vérifiez l’adresse et réessayez.',
  credentialsRejected: 'La connexion a échoué. Vérifiez les informations saisies.',
  passwordRejected: 'L’adresse e-mail ou le mot de passe est incorrect.',
  userPasswordRejected: 'Le nom d’utilisateur ou le mot de passe est incorrect.',
  tooManyAttempts: 'Trop de tentatives. Réessayez dans {time}.',
  tooManyAttemptsOr: 'Trop de tentatives. Réessayez dans {time}, ou choisissez une autre méthode.',
  tooManyAttemptsLater: 'Trop de tentatives. Réessayez plus tard.',
  challengeRequired:
    'Une vérification supplémentaire, que cette page n’affiche pas, est requise. Contactez l’exploitant du site.',
  passkeySignIn: 'Continuer avec une clé d’accès',
  passkeyCreate: 'Créer une clé d’accès',
  passkeyAddress: 'Saisissez votre adresse e-mail ci-dessus, puis créez une clé d’accès.',
  passkeyRejected:
    'La clé d’accès n’a pas été acceptée. Réessayez ou choisissez une autre méthode.',
  passkeyCancelled:
    'Aucune clé d’accès n’a été utilisée : la demande a été annulée, ou il n’y a pas de clé d’accès pour ce site. Réessayez ou choisissez une autre méthode.',
  passkeyTimeout: 'La demande de clé d’accès a expiré. Réessayez.',
  passkeyExists:
    'Il existe déjà une clé d’accès de ce compte sur cet appareil. Connectez-vous avec elle.',
  passkeyNoAuthenticator:
    'Aucun appareil adapté à une clé d’accès n’a été trouvé. Configurez un verrouillage d’écran ou branchez une clé de sécurité, puis réessayez.',
  passkeyWrongDomain: 'Les clés d’accès de ce site ne peuvent pas être utilisées à cette adresse.',
  passkeyFailed:
    'La clé d’accès n’a pas pu être utilisée. Réessayez ou choisissez une autre méthode.',
  passkeyUnsupported: 'Ce navigateur ne prend pas en charge les clés d’accès.',
  passkeyInsecure: 'Les clés d’accès nécessitent une connexion sécurisée (https).',
  passkeyNeedsScript: 'Les clés d’accès nécessitent JavaScript, que ce navigateur n’exécute pas.',
  signedOut: 'Vous êtes déconnecté. Connectez-vous pour revoir la page.',
  sessionRequired: 'Connectez-vous pour voir cette page.',
  pageExpired: 'Cette page est restée ouverte trop longtemps. Connectez-vous de nouveau.',
  signInExpired:
    'La connexion a pris trop de temps ou a commencé dans un autre navigateur. Recommencez.',
  confirmTitle: 'Se connecter à {site}',
  confirmAddress: 'Vous serez connecté en tant que {address}.',
  confirmWarning:
    'Le lien a été demandé dans un autre navigateur ou déjà utilisé. Ne continuez que si vous l’avez demandé.',
  cancel: 'Annuler',
  checkMailTitle: 'Consultez votre messagerie',
  linkSent: 'Un lien de connexion a été envoyé à votre adresse. Ouvrez-le dans ce navigateur.',
  linkSentTo: 'Un lien de connexion a été envoyé à {address}. Ouvrez-le dans ce navigateur.',
  codeSent: 'Un code de connexion a été envoyé à votre adresse.',
  codeSentTo: 'Un code de connexion a été envoyé à {address}. Il expire dans {time}.',
  linkAndCodeSent: 'Un lien de connexion et un code ont été envoyés à votre adresse.',
  linkAndCodeSentTo:
    'Un lien de connexion et un code ont été envoyés à {address}. Ouvrez le lien ou saisissez le code. Les deux expirent dans {time}.',
  code: 'Code',
  codeFormat: 'Le code comporte {digits} chiffres.',
  codeRejected:
    'Le code est incorrect ou a expiré. Saisissez le code de l’e-mail le plus récent ou demandez-en un autre.',
  codeUnusable: 'Ce code ne peut plus être utilisé, ou a été demandé dans un autre navigateur.',
  sendNewCode: 'Envoyer un nouveau code',
  codeElsewhere:
    'Saisissez le code dans le navigateur où vous l’avez demandé, ou demandez-en un autre ici.',
  noCode: 'Pas d’e-mail ? Regardez dans les courriers indésirables ou demandez un autre code.',
  noMail: 'Pas d’e-mail ? Regardez dans les courriers indésirables ou demandez un autre lien.',
  mailLimit:
    'Au plus {count} e-mails de suite sont envoyés à une adresse. Le suivant peut être envoyé après {time}.',
  sendAgain: 'Renvoyer',
  anotherAddress: 'Utiliser une autre adresse',
  signOutTitle: 'Se déconnecter de {site} ?',
  signedInAs: 'Vous êtes connecté en tant que {user}.',
  signedOutTitle: 'Vous êtes déconnecté',
  notSignedIn: 'Vous n’êtes pas connecté',
  signOut: 'Se déconnecter',
  staySignedIn: 'Rester connecté',
  stepUpTitle: 'Confirmez votre identité',
  stepUpText: 'Connectez-vous encore une fois pour continuer.',
  stepUpMail: 'Envoyer un e-mail à {address}',
  stepUpOtherUser:
    'Vous vous êtes connecté avec un autre compte. Continuez en tant que {user}, ou déconnectez-vous d’abord.',
  stepUpInsufficient: 'Cette méthode ne suffit pas ici. Choisissez-en une autre.',
  stepUpImpossible:
    'Aucune méthode ne permet de le confirmer ici. Déconnectez-vous, puis connectez-vous autrement.',
  changeTitle: 'Changer votre adresse e-mail ?',
  changeText: 'L’adresse du compte devient {address}.',
  changeWarning: 'Ne continuez que si vous l’avez demandé.',
  changeButton: 'Confirmer',
  changeWaitingTitle: 'Encore une confirmation',
  changeWaiting: 'Ouvrez aussi le lien envoyé à l’autre adresse.',
  changedTitle: 'L’adresse e-mail a changé',
  changed: 'C’est désormais {address}.',
  undoTitle: 'Annuler le changement ?',
  undoText: 'L’adresse du compte redevient {address}, et tous les appareils sont déconnectés.',
  undoButton: 'Annuler le changement',
  restoredTitle: 'Le changement est annulé',
  restored:
    'L’adresse est de nouveau {address}. Connectez-vous et vérifiez comment on peut se connecter au compte.',
  changeFailedTitle: 'L’adresse n’a pas changé',
  changeFailed:
    'Le lien a expiré, a déjà servi ou concerne un autre compte, ou l’adresse n’est pas disponible. Connectez-vous et recommencez.',
  errorTitle: 'Erreur',
  error: 'Une erreur inattendue s’est produite. Revenez en arrière et réessayez.',
  configurationTitle: 'Erreur du serveur',
  configuration:
    'Ce site ne peut pas traiter la requête. Si vous l’exploitez, cherchez l’erreur dans le journal du serveur.',
  accessDeniedTitle: 'Accès refusé',
  accessDenied: 'Vous n’êtes pas autorisé à vous connecter. Essayez un autre compte.',
  accessDeniedFor: 'Vous ne pouvez pas vous connecter en tant que {user}. Essayez un autre compte.',
  verificationTitle: 'Connexion impossible',
  verification: 'Le lien de connexion a expiré ou a déjà été utilisé. Demandez-en un nouveau.',
  unavailableTitle: 'Réessayez dans un instant',
  temporarilyUnavailable:
    'Le site n’a pas répondu à temps. Patientez un instant, puis connectez-vous de nouveau.',
  sessionUnavailable:
    'Votre session ne peut pas être lue pour le moment. Vous n’avez pas été déconnecté.',
  invalidRequestTitle: 'Requête incorrecte',
  invalidRequest: 'La requête est incomplète ou incorrecte. Revenez en arrière et réessayez.',
  notFoundTitle: 'Introuvable',
  unknownAction: 'Cette page n’existe pas.',
  invalidProvider: 'Cette méthode de connexion n’existe pas. Choisissez-en une autre.',
  methodNotAllowedTitle: 'Impossible',
  methodNotAllowed:
    'Cette page ne peut pas être ouverte directement. Commencez par la page de connexion.',
  startPage: 'Aller à la page d’accueil',
  reference: 'Référence pour l’assistance : {reference}',
}

export const frenchMails: MailMessages = {
  mailSignUp: 'Confirmez votre adresse e-mail pour {site}',
  mailSignUpText: 'Confirmez l’adresse pour créer votre compte.',
  mailSignUpButton: 'Confirmer l’adresse',
  mailSignUpKnown: 'Vous avez déjà un compte sur {site}',
  mailSignUpKnownText: 'Un compte a été demandé pour cette adresse, mais vous en avez déjà un.',
  mailReset: 'Choisissez un nouveau mot de passe pour {site}',
  mailResetText: 'Votre mot de passe reste inchangé jusqu’à ce que vous en choisissiez un nouveau.',
  mailResetButton: 'Choisir un mot de passe',
  mailResetUnknown: 'Aucun compte de {site} n’a cette adresse',
  mailResetUnknownText:
    'Un nouveau mot de passe a été demandé pour cette adresse, qui n’a pas de compte. Vous vous êtes peut-être inscrit avec une autre.',
  mailSignInPageButton: 'Aller à la page de connexion',
  mailNewAddress: 'Confirmez votre nouvelle adresse e-mail pour {site}',
  mailNewAddressText: 'L’adresse d’un compte doit devenir celle-ci.',
  mailCurrentAddress: 'Confirmez le changement de votre adresse e-mail pour {site}',
  mailCurrentAddressText:
    'L’adresse de votre compte doit devenir {address}. Si ce n’était pas vous, ne confirmez pas, et déconnectez vos autres appareils.',
  mailAddressButton: 'Confirmer',
  mailSignInButton: 'Se connecter',
  mailExpires: 'Le lien expire dans {time} et ne sert qu’une fois.',
  mailIgnore: 'Si vous n’avez pas demandé cet e-mail, ignorez-le.',
  noticeTitle: 'Votre compte sur {site} a changé',
  noticeAccountLinked: 'Vous pouvez désormais vous connecter avec {provider}.',
  noticeAccountUnlinked: 'Vous ne pouvez plus vous connecter avec {provider}.',
  noticePasskeyAdded:
    'Une clé d’accès a été ajoutée. Vous pouvez désormais vous connecter avec elle.',
  noticePasskeyRemoved: 'Une clé d’accès a été supprimée.',
  noticeFactorAdded: 'Une seconde étape est désormais requise pour se connecter.',
  noticeFactorRemoved: 'Une seconde étape a été supprimée.',
  noticeRecoveryCodes:
    'De nouveaux codes de secours ont été créés. Les anciens ne sont plus valables.',
  noticeRecoveryCodeUsed: 'Un code de secours a servi à se connecter. Codes restants : {count}.',
  noticePasswordChanged: 'Le mot de passe a changé.',
  noticePasswordRemoved: 'Le mot de passe a été supprimé.',
  noticeAddressChanged: 'L’adresse e-mail est désormais {address}.',
  noticeUndoButton: 'Annuler le changement',
  noticeUndoText:
    'Cela rétablit l’ancienne adresse et déconnecte tous les appareils. Le lien expire dans {time}.',
  noticeAdvice:
    'Si c’était vous, il n’y a rien d’autre à faire. Sinon, connectez-vous et annulez-le.',
}
