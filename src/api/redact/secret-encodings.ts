/** Shorter parts of a secret are too common to be redacted alone. */
const SHORTEST_PART = 8;

/** Lists every form in which a secret can occur in a text. */
export function secretEncodings(secret: string): ReadonlySet<string> {
  const forms = new Set<string>();
  for (const part of [secret, ...parts(secret)]) {
    forms.add(part);
    for (const form of [...jsonForms(part), ...urlForms(part), ...base64Forms(part)]) forms.add(form);
  }
  forms.delete("");
  return forms;
}

/** The lines of a secret, such as a private key. Services quote single lines, so each line is a secret too. */
function parts(secret: string): readonly string[] {
  const lines = secret.split(/\r\n|\r|\n/u).map((line) => line.trim());
  const trimmed = secret.trim();
  return [...(trimmed === secret ? [] : [trimmed]), ...(lines.length > 1 ? lines : [])].filter(
    (part) => part.length >= SHORTEST_PART,
  );
}

function jsonForms(secret: string): readonly string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  // Encoders differ in how they write the slash and characters beyond ASCII.
  const ascii = escaped.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const forms = [escaped, ascii, escaped.replaceAll("/", "\\/")];
  // JSON inside a JSON string, as services write it into messages.
  return [...forms, ...forms.map((form) => JSON.stringify(form).slice(1, -1))];
}

function urlForms(secret: string): readonly string[] {
  const component = encoded(secret);
  const strict = component.replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const forms = [
    component,
    strict,
    component.replaceAll("%20", "+"),
    strict.replaceAll("%20", "+"),
    component.replaceAll("%2F", "/"),
  ];
  return [...forms, ...forms.map((form) => form.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()))];
}

function encoded(secret: string): string {
  // encodeURIComponent throws on a lone surrogate. The buffer replaces it first.
  return encodeURIComponent(Buffer.from(secret, "utf8").toString("utf8"));
}

/**
 * The parts of a base64 text that contain the secret. They depend on the position of the secret in a group of three
 * bytes. Characters that share bits with neighbouring bytes are left out.
 */
function base64Forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, "utf8");
  const aligned = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    const text = whole.toString("base64").replaceAll("=", "");
    const from = before === 0 ? 0 : before + 1;
    const to = whole.length % 3 === 0 ? text.length : text.length - 1;
    return text.slice(from, to);
  });
  const exact = bytes.toString("base64");
  const forms = [exact, exact.replaceAll("=", ""), ...aligned.filter((form) => form.length >= SHORTEST_PART)];
  return [...forms, ...forms.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))];
}
