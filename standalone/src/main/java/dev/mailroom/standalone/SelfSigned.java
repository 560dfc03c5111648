package dev.mailroom.standalone;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;

/**
 * A self-signed X.509 certificate for localhost (RFC 5280), encoded in DER here because
 * the JDK has no public API to create certificates.
 */
final class SelfSigned {

	private static final int VALIDITY_YEARS = 10;

	private static final int SEQUENCE = 0x30;

	private static final int SET = 0x31;

	private static final int INTEGER = 0x02;

	private static final int BIT_STRING = 0x03;

	private static final int OCTET_STRING = 0x04;

	private static final int UTF8_STRING = 0x0c;

	private static final int GENERALIZED_TIME = 0x18;

	/** ecdsa-with-SHA256 (1.2.840.10045.4.3.2). */
	private static final byte[] SIGNATURE_ALGORITHM = der(SEQUENCE, bytes(6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2));

	private static final byte[] COMMON_NAME = bytes(6, 3, 0x55, 4, 3);

	private static final byte[] SUBJECT_ALTERNATIVE_NAME = bytes(6, 3, 0x55, 0x1d, 0x11);

	private static final DateTimeFormatter TIME_FORMAT = DateTimeFormatter.ofPattern("uuuuMMddHHmmss'Z'");

	private SelfSigned() {
	}

	/** Generates a private key and its certificate, in PEM. */
	static String pem(Instant now) {
		try {
			KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
			generator.initialize(new ECGenParameterSpec("secp256r1"));
			KeyPair keys = generator.generateKeyPair();
			return block("PRIVATE KEY", keys.getPrivate().getEncoded()) + block("CERTIFICATE", certificate(keys, now));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("The JDK does not support ECDSA with P-256", ex);
		}
	}

	private static byte[] certificate(KeyPair keys, Instant now) throws GeneralSecurityException {
		byte[] name = der(SEQUENCE, der(SET,
				der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, "localhost".getBytes(StandardCharsets.US_ASCII)))));
		ZonedDateTime notBefore = now.atZone(ZoneOffset.UTC).minusDays(1);
		byte[] validity = der(SEQUENCE, time(notBefore), time(notBefore.plusYears(VALIDITY_YEARS)));
		byte[] names = der(SEQUENCE, der(0x82, "localhost".getBytes(StandardCharsets.US_ASCII)),
				der(0x87, bytes(127, 0, 0, 1)));
		byte[] extensions = der(0xa3, der(SEQUENCE, der(SEQUENCE, SUBJECT_ALTERNATIVE_NAME, der(OCTET_STRING, names))));
		byte[] serial = der(INTEGER, new BigInteger(120, new SecureRandom()).toByteArray());
		byte[] content = der(SEQUENCE, der(0xa0, der(INTEGER, bytes(2))), serial, SIGNATURE_ALGORITHM, name, validity,
				name, keys.getPublic().getEncoded(), extensions);
		Signature signature = Signature.getInstance("SHA256withECDSA");
		signature.initSign(keys.getPrivate());
		signature.update(content);
		return der(SEQUENCE, content, SIGNATURE_ALGORITHM, der(BIT_STRING, bytes(0), signature.sign()));
	}

	private static byte[] time(ZonedDateTime time) {
		return der(GENERALIZED_TIME, TIME_FORMAT.format(time).getBytes(StandardCharsets.US_ASCII));
	}

	private static String block(String kind, byte[] content) {
		String lines = Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(content);
		return "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n";
	}

	private static byte[] der(int tag, byte[]... parts) {
		ByteArrayOutputStream content = new ByteArrayOutputStream();
		for (byte[] part : parts) {
			content.writeBytes(part);
		}
		ByteArrayOutputStream encoded = new ByteArrayOutputStream();
		encoded.write(tag);
		if (content.size() < 0x80) {
			encoded.write(content.size());
		}
		else {
			byte[] length = BigInteger.valueOf(content.size()).toByteArray();
			int skipped = (length[0] == 0) ? 1 : 0;
			encoded.write(0x80 | (length.length - skipped));
			encoded.write(length, skipped, length.length - skipped);
		}
		encoded.writeBytes(content.toByteArray());
		return encoded.toByteArray();
	}

	private static byte[] bytes(int... values) {
		byte[] bytes = new byte[values.length];
		for (int i = 0; i < values.length; i++) {
			bytes[i] = (byte) values[i];
		}
		return bytes;
	}

}
