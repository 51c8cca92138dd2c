// What the members of a token's header and payload mean, by the registers of
// RFC 7515 (section 4.1), RFC 7519 (section 4.1) and OpenID Connect Core 1.0
// (sections 2, 3.1.3.6 and 5.1), in few words, and its times as dates.

const header = {
  alg: "Algorithm of the signature", jku: "Address of the keys", jwk: "Public key", kid: "Which key signed", x5u: "Address of the certificates",
  x5c: "Certificates", x5t: "SHA-1 thumbprint of the certificate", "x5t#S256": "SHA-256 thumbprint of the certificate",
  typ: "Type of the token", cty: "Type of what it holds", crit: "Members that must be understood", enc: "Algorithm of the encryption",
};

const payload = {
  iss: "Issuer: who made the token", sub: "Subject: whom it speaks of", aud: "Audience: for whom it is", exp: "Expiry: not valid from then on",
  nbf: "Not valid before", iat: "Issued at", jti: "The token's own identifier", auth_time: "When the person signed in", nonce: "Ties it to one sign-in",
  acr: "How strongly the person signed in", amr: "Ways by which the person signed in", azp: "Party that it was issued to", at_hash: "Hash of the access token",
  c_hash: "Hash of the code", name: "Full name", given_name: "Given names", family_name: "Family names", middle_name: "Middle names", nickname: "Casual name",
  preferred_username: "Name that the person goes by", profile: "Page about the person", picture: "Picture of the person", website: "The person's site",
  email: "E-mail address", email_verified: "Whether the address was confirmed", gender: "Gender", birthdate: "Birthday", zoneinfo: "Time zone",
  locale: "Language and region", phone_number: "Telephone number", phone_number_verified: "Whether the number was confirmed", address: "Postal address",
  updated_at: "When these facts last changed", scope: "What it allows", client_id: "Client that it was issued to", sid: "Session",
};

const times = new Set(["exp", "nbf", "iat", "auth_time", "updated_at"]);

// explain reads a decoded token, {header, payload}, and returns {sentence, members}: members
// are {part, name, meaning, time} in the token's order; undefined when the
// text is something else. now is in milliseconds since 1970.
export function explain(text, now) {
  let token;
  try {
    token = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!plain(token?.header) || !plain(token?.payload) || Object.keys(token).length !== 2) return undefined;
  const members = [];
  for (const [part, register] of [["header", header], ["payload", payload]]) {
    for (const [name, value] of Object.entries(token[part])) {
      const time = part === "payload" && times.has(name) && typeof value === "number" ? moment(value, now) : undefined;
      const meaning = Object.hasOwn(register, name) ? register[name] : undefined;
      if (meaning) members.push({ part, name, meaning, time: time && says(name, time) });
    }
  }
  return { sentence: validity(token.payload, now), members };
}

const plain = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// validity says in a sentence whether the token's own times let it be used.
function validity({ exp, nbf }, now) {
  const end = typeof exp === "number" && moment(exp, now);
  const start = typeof nbf === "number" && moment(nbf, now);
  if (end && end.past) return `By its own times it expired ${end.distance}.`;
  if (start && !start.past) return `By its own times it is not valid yet: it will be ${start.distance}.`;
  if (end) return `By its own times it is valid; it expires ${end.distance}.`;
  return "It does not say when it expires.";
}

const says = (name, { date, distance, past }) => `${date}, ${name === "exp" ? (past ? "expired" : "expires") : name === "nbf" ? (past ? "valid since" : "valid") : ""} ${distance}`.replaceAll("  ", " ");

// moment is a NumericDate (RFC 7519, section 2) as a date in UTC, and how far
// it is from now; undefined when it is no date.
function moment(seconds, now) {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return undefined;
  return { date: date.toISOString().replace(".000Z", "Z"), distance: distance(seconds * 1000 - now), past: seconds * 1000 <= now };
}

const steps = [["year", 31_557_600], ["month", 2_629_800], ["day", 86_400], ["hour", 3_600], ["minute", 60], ["second", 1]];

// distance says how far a time is from now, which is 0, in milliseconds.
export function distance(milliseconds) {
  const seconds = Math.abs(milliseconds) / 1000;
  const [unit, size] = steps.find(([, length]) => seconds >= length) ?? steps.at(-1);
  const n = Math.floor(seconds / size);
  const words = `${n.toLocaleString("en")} ${unit}${n === 1 ? "" : "s"}`;
  return milliseconds <= 0 ? `${words} ago` : `in ${words}`;
}
