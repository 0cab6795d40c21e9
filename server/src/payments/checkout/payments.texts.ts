// The words of the pages that payers see, in each of their languages.
import type { Closed } from '../links/payments.links.start.ts'
import type { Language } from '../payments.schemas.ts'
import type { PaymentStatus } from '../payments.status.ts'
import type { Field } from './payments.pages.form.ts'

/** Pages that only say something: of a link that is closed, and of what went wrong. */
export type Notice = Closed | 'unknown' | 'mistaken' | 'unanswered' | 'unavailable'

export type Texts = {
  /** The language's name for itself. */
  name: string
  direction: 'ltr' | 'rtl'
  /** For writing amounts. */
  locale: string
  chooseLanguage: string
  payTo: (payee: string) => string
  amount: string
  pay: string
  next: string
  scan: string
  fields: Record<Field, { label: string; hint?: string; missing: string; malformed: string }>
  wrong: string
  leaving: string
  toCardForm: string
  result: Record<PaymentStatus, { title: string; text: (payee: string) => string }>
  reference: string
  checkAgain: string
  tryAgain: string
  notices: Record<Notice, { title: string; text: string }>
}

/** A text of unknown direction within another: without this its parts would change places between Arabic words. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`
}

const samplePhone = '\u2066+213\u00a0551\u00a023\u00a045\u00a067\u2069'

export const texts: Record<Language, Texts> = {
  FR: {
    name: 'Français',
    direction: 'ltr',
    locale: 'fr',
    chooseLanguage: 'Langue',
    payTo: (payee) => `Paiement à ${payee}`,
    amount: 'Montant',
    pay: 'Payer',
    next: 'Vous saisirez votre carte à la page suivante.',
    scan: 'Pour payer, scannez ce code avec un téléphone.',
    fields: {
      name: {
        label: 'Votre nom',
        missing: 'Saisissez votre nom.',
        malformed: 'Saisissez un nom de 140 caractères au plus, sans caractères invisibles.',
      },
      email: {
        label: 'Votre adresse e-mail',
        missing: 'Saisissez votre adresse e-mail.',
        malformed: 'Saisissez une adresse e-mail comme nom@exemple.com.',
      },
      phone: {
        label: 'Votre numéro de téléphone',
        hint: `Avec l’indicatif du pays, par exemple ${samplePhone}`,
        missing: 'Saisissez votre numéro de téléphone.',
        malformed: `Saisissez le numéro avec l’indicatif du pays, par exemple ${samplePhone}.`,
      },
    },
    wrong: 'Vérifiez ce que vous avez saisi.',
    leaving: 'Vous allez être dirigé vers le formulaire de carte.',
    toCardForm: 'Aller au formulaire de carte',
    result: {
      PENDING: { title: 'Paiement non terminé', text: () => 'Le paiement n’est pas encore terminé.' },
      PAID: { title: 'Paiement effectué', text: (payee) => `Votre paiement à ${payee} a été effectué.` },
      REFUSED: { title: 'Paiement refusé', text: () => 'Le paiement a été refusé. Vous pouvez réessayer, aussi avec une autre carte.' },
      CANCELED: { title: 'Paiement annulé', text: () => 'Le paiement a été annulé.' },
      EXPIRED: { title: 'Délai dépassé', text: () => 'Le paiement n’a pas été effectué à temps.' },
      FAILED: { title: 'Échec du paiement', text: (payee) => `Le paiement a échoué. Adressez-vous à ${payee} avant de payer à nouveau.` },
      REFUNDED: { title: 'Paiement remboursé', text: (payee) => `${payee} vous a remboursé ce paiement.` },
    },
    reference: 'Référence',
    checkAgain: 'Vérifier à nouveau',
    tryAgain: 'Réessayer',
    notices: {
      unknown: { title: 'Lien introuvable', text: 'Il n’y a rien à payer à cette adresse. Vérifiez le lien que vous avez reçu.' },
      inactive: { title: 'Lien désactivé', text: 'Ce lien de paiement n’est plus utilisable.' },
      expired: { title: 'Lien expiré', text: 'Ce lien de paiement a expiré.' },
      used_up: {
        title: 'Lien déjà utilisé',
        text: 'Ce lien a été utilisé autant de fois que prévu. Si un paiement a été commencé sans être terminé, réessayez dans une demi-heure.',
      },
      mistaken: {
        title: 'Demande non comprise',
        text: 'Ce qui a été envoyé n’a pas pu être lu, et rien n’a été payé. Ouvrez à nouveau le lien.',
      },
      unanswered: {
        title: 'Paiement impossible pour le moment',
        text: 'Le service de paiement par carte ne répond pas, et rien n’a été payé. Réessayez dans un instant.',
      },
      unavailable: {
        title: 'Service momentanément indisponible',
        text: 'La page ne peut pas être affichée pour le moment. Réessayez dans un instant.',
      },
    },
  },
  EN: {
    name: 'English',
    direction: 'ltr',
    locale: 'en',
    chooseLanguage: 'Language',
    payTo: (payee) => `Payment to ${payee}`,
    amount: 'Amount',
    pay: 'Pay',
    next: 'You enter your card on the next page.',
    scan: 'To pay, scan this code with a phone.',
    fields: {
      name: {
        label: 'Your name',
        missing: 'Enter your name.',
        malformed: 'Enter a name of at most 140 characters, without invisible ones.',
      },
      email: {
        label: 'Your email address',
        missing: 'Enter your email address.',
        malformed: 'Enter an email address such as name@example.com.',
      },
      phone: {
        label: 'Your phone number',
        hint: `With the country code, such as ${samplePhone}`,
        missing: 'Enter your phone number.',
        malformed: `Enter the number with the country code, such as ${samplePhone}.`,
      },
    },
    wrong: 'Check what you have entered.',
    leaving: 'You are being taken to the card form.',
    toCardForm: 'Go to the card form',
    result: {
      PENDING: { title: 'Payment not finished', text: () => 'The payment is not finished yet.' },
      PAID: { title: 'Payment made', text: (payee) => `Your payment to ${payee} was made.` },
      REFUSED: { title: 'Payment refused', text: () => 'The payment was refused. You can try again, also with another card.' },
      CANCELED: { title: 'Payment canceled', text: () => 'The payment was canceled.' },
      EXPIRED: { title: 'Out of time', text: () => 'The payment was not made in time.' },
      FAILED: { title: 'Payment failed', text: (payee) => `The payment failed. Ask ${payee} before you pay again.` },
      REFUNDED: { title: 'Payment refunded', text: (payee) => `${payee} has refunded this payment to you.` },
    },
    reference: 'Reference',
    checkAgain: 'Check again',
    tryAgain: 'Try again',
    notices: {
      unknown: { title: 'No such link', text: 'There is nothing to pay at this address. Check the link that you were given.' },
      inactive: { title: 'Link not active', text: 'This payment link can no longer be used.' },
      expired: { title: 'Link expired', text: 'This payment link has expired.' },
      used_up: {
        title: 'Link already used',
        text: 'This link has been used as often as it may be. If a payment was begun and not finished, try again in half an hour.',
      },
      mistaken: { title: 'Not understood', text: 'What was sent could not be read, and nothing was paid. Open the link again.' },
      unanswered: {
        title: 'No payment possible right now',
        text: 'The card payment service does not answer, and nothing was paid. Try again in a moment.',
      },
      unavailable: { title: 'Not available right now', text: 'The page cannot be shown at the moment. Try again shortly.' },
    },
  },
  AR: {
    name: 'العربية',
    direction: 'rtl',
    // With the digits that are printed on cards.
    locale: 'ar-DZ',
    chooseLanguage: 'اللغة',
    payTo: (payee) => `دفع إلى ${payee}`,
    amount: 'المبلغ',
    pay: 'ادفع',
    next: 'ستُدخل بيانات بطاقتك في الصفحة التالية.',
    scan: 'للدفع، امسح هذا الرمز بهاتف.',
    fields: {
      name: {
        label: 'اسمك',
        missing: 'أدخل اسمك.',
        malformed: 'أدخل اسمًا لا يتجاوز 140 حرفًا، دون رموز غير مرئية.',
      },
      email: {
        label: 'بريدك الإلكتروني',
        missing: 'أدخل بريدك الإلكتروني.',
        malformed: 'أدخل عنوان بريد إلكتروني مثل \u2066name@example.com\u2069.',
      },
      phone: {
        label: 'رقم هاتفك',
        hint: `مع رمز البلد، مثل ${samplePhone}`,
        missing: 'أدخل رقم هاتفك.',
        malformed: `أدخل الرقم مع رمز البلد، مثل ${samplePhone}.`,
      },
    },
    wrong: 'تحقق مما أدخلته.',
    leaving: 'جارٍ نقلك إلى استمارة البطاقة.',
    toCardForm: 'الانتقال إلى استمارة البطاقة',
    result: {
      PENDING: { title: 'الدفع غير مكتمل', text: () => 'لم يكتمل الدفع بعد.' },
      PAID: { title: 'تم الدفع', text: (payee) => `تم دفع المبلغ إلى ${payee}.` },
      REFUSED: { title: 'رُفض الدفع', text: () => 'رُفض الدفع. يمكنك المحاولة مرة أخرى، ببطاقة أخرى أيضًا.' },
      CANCELED: { title: 'أُلغي الدفع', text: () => 'أُلغي الدفع.' },
      EXPIRED: { title: 'انتهى الوقت', text: () => 'لم يتم الدفع في الوقت المحدد.' },
      FAILED: { title: 'فشل الدفع', text: (payee) => `فشل الدفع. تواصل مع ${payee} قبل أن تدفع مرة أخرى.` },
      REFUNDED: { title: 'أُعيد المبلغ', text: (payee) => `أعاد إليك ${payee} مبلغ هذا الدفع.` },
    },
    reference: 'المرجع',
    checkAgain: 'تحقق مرة أخرى',
    tryAgain: 'حاول مرة أخرى',
    notices: {
      unknown: { title: 'الرابط غير موجود', text: 'لا يوجد ما يُدفع على هذا العنوان. تحقق من الرابط الذي وصلك.' },
      inactive: { title: 'الرابط غير مفعّل', text: 'لم يعد من الممكن استخدام رابط الدفع هذا.' },
      expired: { title: 'انتهت صلاحية الرابط', text: 'انتهت صلاحية رابط الدفع هذا.' },
      used_up: {
        title: 'استُخدم الرابط من قبل',
        text: 'استُخدم هذا الرابط بعدد المرات المسموح بها. إذا بدأ دفع ولم يكتمل، فحاول مرة أخرى بعد نصف ساعة.',
      },
      mistaken: { title: 'تعذر فهم الطلب', text: 'تعذرت قراءة ما أُرسل، ولم يُدفع شيء. افتح الرابط من جديد.' },
      unanswered: {
        title: 'الدفع غير ممكن حاليًا',
        text: 'خدمة الدفع بالبطاقة لا تجيب، ولم يُدفع شيء. حاول مرة أخرى بعد قليل.',
      },
      unavailable: { title: 'الخدمة غير متاحة حاليًا', text: 'لا يمكن عرض الصفحة الآن. حاول مرة أخرى بعد قليل.' },
    },
  },
}
