package dev.mailroom.sdk;

/**
 * The TXT record that asks senders for reports about TLS. Null if this installation
 * receives none.
 */
public record TlsReportRecord(String host, String value) {

	static TlsReportRecord of(JsonObject json) {
		return new TlsReportRecord(json.text("host"), json.text("value"));
	}

}
