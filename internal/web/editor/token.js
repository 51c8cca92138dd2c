// Explains the registered members of a token's header and payload, and its times
// (RFC 7515, section 4.1; RFC 7519, section 4.1; OpenID Connect Core 1.0, sections
// 2, 3.1.3.6 and 5.1).

const header = {
  alg: "Signature algorithm", jku: "URL of the keys", jwk: "Public key", kid: "ID of the signing key", x5u: "URL of the certificates",
  x5c: "Certificates", x5t: "SHA-1 thumbprint of the certificate", "x5t#S256": "SHA-256 thumbprint of the certificate",
  typ: "Type of the token", cty: "Type of the content", crit: "Extensions that must be understood", enc: "Encryption algorithm",
};

const payload = {
  iss: "Issuer: who created the token", sub: "Subject: whom the token is about", aud: "Audience: whom the token is for", exp: "Expiry: when the token stops being valid",
  nbf: "Not valid before", iat: "Issued at", jti: "Unique ID of the token", auth_time: "When the user signed in", nonce: "Ties the token to one sign-in",
  acr: "How strong the sign-in was", amr: "How the user signed in", azp: "Client that the token was issued to", at_hash: "Hash of the access token",
  c_hash: "Hash of the authorization code", name: "Full name", given_name: "Given name", family_name: "Family name", middle_name: "Middle name", nickname: "Nickname",
  preferred_username: "Preferred user name", profile: "Profile page", picture: "Profile picture", website: "Website",
  email: "E-mail address", email_verified: "Whether the address was verified", gender: "Gender", birthdate: "Birthday", zoneinfo: "Time zone",
  locale: "Language and region", phone_number: "Phone number", phone_number_verified: "Whether the number was verified", address: "Postal address",
  updated_at: "When the profile last changed", scope: "What the token allows", client_id: "Client that the token was issued to", sid: "Session",
};

const times = new Set(["exp", "nbf", "iat", "auth_time", "updated_at"]);

// explain parses a decoded token, {header, payload}, and returns {sentence,
// members}. It returns undefined for any other string. members are {part, name,
// meaning, time} in the order of the token. now is in milliseconds since 1970.
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

// validity returns a sentence about the validity period of the token.
function validity({ exp, nbf }, now) {
  const end = typeof exp === "number" && moment(exp, now);
  const start = typeof nbf === "number" && moment(nbf, now);
  if (end && end.past) return `The token expired ${end.distance}.`;
  if (start && !start.past) return `The token is not valid yet; it becomes valid ${start.distance}.`;
  if (end) return `The token expires ${end.distance}.`;
  return "The token does not say when it expires.";
}

const says = (name, { date, distance, past }) => `${date}, ${name === "exp" ? (past ? "expired" : "expires") : name === "nbf" ? (past ? "valid since" : "valid") : ""} ${distance}`.replaceAll("  ", " ");

// moment formats a NumericDate (RFC 7519, section 2) as a UTC date with its distance
// from now. It returns undefined if the date is out of range.
function moment(seconds, now) {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return undefined;
  return { date: date.toISOString().replace(".000Z", "Z"), distance: distance(seconds * 1000 - now), past: seconds * 1000 <= now };
}

const steps = [["year", 31_557_600], ["month", 2_629_800], ["day", 86_400], ["hour", 3_600], ["minute", 60], ["second", 1]];

// distance describes in words how far a time is from now, given in milliseconds.
export function distance(milliseconds) {
  const seconds = Math.abs(milliseconds) / 1000;
  const [unit, size] = steps.find(([, length]) => seconds >= length) ?? steps.at(-1);
  const n = Math.floor(seconds / size);
  const words = `${n.toLocaleString("en")} ${unit}${n === 1 ? "" : "s"}`;
  return milliseconds <= 0 ? `${words} ago` : `in ${words}`;
}
