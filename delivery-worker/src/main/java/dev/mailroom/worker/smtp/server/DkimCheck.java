package dev.mailroom.worker.smtp.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import dev.mailroom.worker.compose.ArcChain;
import dev.mailroom.worker.dns.BlockingResolver;
import org.apache.james.jdkim.DKIMVerifier;
import org.apache.james.jdkim.api.Headers;
import org.apache.james.jdkim.api.PublicKeyRecord;
import org.apache.james.jdkim.api.PublicKeyRecordRetriever;
import org.apache.james.jdkim.api.SignatureRecord;
import org.apache.james.jdkim.exceptions.CompositeFailException;
import org.apache.james.jdkim.exceptions.FailException;
import org.apache.james.jdkim.exceptions.TempFailException;
import org.apache.james.jdkim.tagvalue.PublicKeyRecordImpl;
import org.apache.james.jdkim.tagvalue.SignatureRecordImpl;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/** Check of DKIM signatures (RFC 6376). */
@Component
class DkimCheck {

	private final BlockingResolver resolver;

	DkimCheck(BlockingResolver resolver) {
		this.resolver = resolver;
	}

	/** Verifies the signatures of a mail. Blocks on DNS lookups. */
	Result check(byte[] mail) throws IOException {
		MailHeader header = MailHeader.of(mail);
		try {
			@Nullable List<SignatureRecord> valid = new Signatures(this.resolver).verify(header, header.body());
			return (valid == null) ? new Result(CheckResult.GRAY, List.of(), false)
					: new Result(CheckResult.PASS, valid.stream().map(DkimCheck::domain).toList(), false);
		}
		catch (FailException ex) {
			boolean temporary = isTemporary(ex);
			return new Result(temporary ? CheckResult.GRAY : CheckResult.FAIL, List.of(), temporary);
		}
	}

	/**
	 * The result of the ARC chain of a mail; empty if a key could not be fetched. Blocks
	 * on DNS lookups.
	 */
	Optional<String> arc(ArcChain chain) {
		try {
			return Optional.of(chain.verify(this::publicKeys));
		}
		catch (IOException _) {
			return Optional.empty();
		}
	}

	private List<PublicKey> publicKeys(String domain, String selector) throws IOException {
		return this.resolver.texts(selector + "._domainkey." + domain).stream().flatMap((record) -> {
			try {
				StrictKey key = new StrictKey(record);
				key.validate();
				return Stream.of(key.getPublicKey());
			}
			catch (IllegalStateException _) {
				return Stream.empty();
			}
		}).toList();
	}

	/** Whether at least one signature could not be verified for now. */
	private static boolean isTemporary(FailException failure) {
		return failure instanceof TempFailException || (failure instanceof CompositeFailException several
				&& several.getExceptions().stream().anyMatch(TempFailException.class::isInstance));
	}

	private static String domain(SignatureRecord signature) {
		return signature.getDToken().toString().toLowerCase(Locale.ROOT);
	}

	/**
	 * Result of the check.
	 *
	 * @param domains signing domains whose signatures are valid
	 * @param temporary whether a signature may be valid, but its key could not be fetched
	 */
	record Result(CheckResult check, List<String> domains, boolean temporary) {

		static final Result BROKEN = new Result(CheckResult.PROCESSING_FAILED, List.of(), false);

	}

	/**
	 * jDKIM's verifier with two additions: Ed25519 signatures (RFC 8463) are supported,
	 * and SHA-1, RSA keys below 1024 bits (RFC 8301) and partial body signatures are
	 * refused.
	 */
	static final class Signatures extends DKIMVerifier {

		static {
			Ed25519Sha256.install();
		}

		Signatures(BlockingResolver resolver) {
			this((_, selector, token) -> keys(resolver, selector + "._domainkey." + token));
		}

		Signatures(PublicKeyRecordRetriever keys) {
			super(keys);
		}

		private static List<String> keys(BlockingResolver resolver, String host) throws TempFailException {
			try {
				return resolver.texts(host);
			}
			catch (IOException ex) {
				throw new TempFailException(ex.getMessage());
			}
		}

		@Override
		protected PublicKeyRecord newPublicKeyRecord(String record) {
			return new StrictKey(record);
		}

		@Override
		public SignatureRecord newSignatureRecord(String record) {
			return new StrictSignature(record);
		}

	}

	/** A signature that must use SHA-256 and cover the whole body. */
	private static final class StrictSignature extends SignatureRecordImpl {

		StrictSignature(String record) {
			super(record);
		}

		@Override
		public void validate() {
			super.validate();
			if (!"sha256".contentEquals(getHashMethod())) {
				throw new IllegalStateException("The hash algorithm is not SHA-256");
			}
			if (getBodyHashLimit() >= 0) {
				throw new IllegalStateException("The signature covers only a part of the body");
			}
		}

		/** Null: a timestamp in the future is not refused (RFC 6376 section 3.5). */
		@Override
		public @Nullable Long getSignatureTimestamp() {
			return null;
		}

	}

	/** A public key record of DNS. */
	private static final class StrictKey extends PublicKeyRecordImpl {

		/** X.509 prefix of an Ed25519 key (RFC 8410). */
		private static final byte[] X509_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

		private static final int MIN_RSA_BITS = 1024;

		StrictKey(String record) {
			super(record);
		}

		@Override
		public PublicKey getPublicKey() {
			if ("ed25519".contentEquals(getValue("k"))) {
				return ed25519();
			}
			if (super.getPublicKey() instanceof RSAPublicKey key && key.getModulus().bitLength() >= MIN_RSA_BITS) {
				return key;
			}
			throw new IllegalStateException("The RSA key is shorter than 1024 bits");
		}

		private PublicKey ed25519() {
			try {
				byte[] bytes = Base64.getMimeDecoder().decode(getValue("p").toString());
				byte[] encoded = new byte[X509_PREFIX.length + bytes.length];
				System.arraycopy(X509_PREFIX, 0, encoded, 0, X509_PREFIX.length);
				System.arraycopy(bytes, 0, encoded, X509_PREFIX.length, bytes.length);
				return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
			}
			catch (GeneralSecurityException | IllegalArgumentException ex) {
				throw new IllegalStateException("Not an Ed25519 key", ex);
			}
		}

	}

	/**
	 * Header fields of a mail exactly as received, because signatures cover their bytes.
	 */
	static final class MailHeader implements Headers {

		/** Limit on the signatures verified, since each requires a DNS lookup. */
		private static final int MAX_SIGNATURES = 5;

		private static final String SIGNATURE = "DKIM-Signature";

		/** The same limit as in the MIME parser. */
		private static final int MAX_FIELDS = 1000;

		/** Limit on all fields together, in bytes. */
		private static final int MAX_HEADER_LENGTH = 500_000;

		/** Longer signatures are ignored: they list fields only to cause work. */
		private static final int MAX_SIGNATURE_LENGTH = 16_384;

		private final List<String> fields = new ArrayList<>();

		private final Map<String, List<String>> byName = new HashMap<>();

		private final byte[] raw;

		private final int bodyStart;

		private MailHeader(byte[] raw) throws IOException {
			this.raw = raw;
			int at = 0;
			while (at < raw.length && !startsWithCrLf(at)) {
				int end = fieldEnd(at);
				if (this.fields.size() == MAX_FIELDS || end > MAX_HEADER_LENGTH) {
					throw new IOException("The header exceeds the limit");
				}
				add(new String(raw, at, end - at, StandardCharsets.UTF_8));
				at = Math.min(end + 2, raw.length);
			}
			this.bodyStart = Math.min(at + 2, raw.length);
		}

		/**
		 * Reads a mail's header.
		 * @throws IOException if it exceeds the limits
		 */
		static MailHeader of(byte[] raw) throws IOException {
			return new MailHeader(raw);
		}

		@Override
		public List<String> getFields() {
			return this.fields;
		}

		/** Called for every name that a signature lists, hence indexed. */
		@Override
		public List<String> getFields(String name) {
			List<String> matching = this.byName.getOrDefault(key(name), List.of());
			return name.equalsIgnoreCase(SIGNATURE) ? matching.stream()
				.filter((field) -> field.length() <= MAX_SIGNATURE_LENGTH)
				.limit(MAX_SIGNATURES)
				.toList() : matching;
		}

		/** Body after the empty line. */
		InputStream body() {
			return new ByteArrayInputStream(this.raw, this.bodyStart, this.raw.length - this.bodyStart);
		}

		private void add(String field) {
			this.fields.add(field);
			int colon = field.indexOf(':');
			if (colon > 0) {
				this.byName.computeIfAbsent(key(field.substring(0, colon)), (_) -> new ArrayList<>()).add(field);
			}
		}

		private static String key(String name) {
			return name.strip().toLowerCase(Locale.ROOT);
		}

		/** End of a field: the first line end without a folded line after it. */
		private int fieldEnd(int from) {
			int at = from;
			while (at < this.raw.length && !(startsWithCrLf(at) && !isFolded(at + 2))) {
				at++;
			}
			return at;
		}

		private boolean startsWithCrLf(int at) {
			return at + 1 < this.raw.length && this.raw[at] == '\r' && this.raw[at + 1] == '\n';
		}

		private boolean isFolded(int at) {
			return at < this.raw.length && (this.raw[at] == ' ' || this.raw[at] == '\t');
		}

	}

}
