import type { PageMessages } from 'lib-auth/types'

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
