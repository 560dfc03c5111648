package dev.mailroom.worker.dns;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.apache.james.jspf.core.DNSRequest;
import org.apache.james.jspf.core.DNSService;
import org.apache.james.jspf.core.exceptions.TimeoutException;
import org.apache.james.jspf.impl.SPF;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.MXRecord;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

import org.springframework.stereotype.Component;

/** SPF policies of domains (RFC 7208). */
@Component
public class SpfPolicy {

	private final SPF library;

	/** Creates a check that looks up its records by this resolver. */
	public SpfPolicy(BlockingResolver resolver) {
		this.library = new SPF(new LibraryResolver(resolver));
	}

	/**
	 * Evaluates the policy of a sender. Blocks on DNS lookups.
	 * @param sender return path; empty for a mail without one, which is checked by HELO
	 * @return the result as RFC 7208 section 2.6 names it
	 */
	public String result(InetAddress client, String sender, String helo) {
		return this.library.checkSPF(client.getHostAddress(), sender, helo).getResult();
	}

	/** DNS lookups of jSPF through the configured name servers. */
	private static final class LibraryResolver implements DNSService {

		/** Limit on the names of one MX or PTR lookup (RFC 7208 section 4.6.4). */
		private static final int MAX_RECORDS = 10;

		private final BlockingResolver resolver;

		LibraryResolver(BlockingResolver resolver) {
			this.resolver = resolver;
		}

		/** A modifiable list, or null if there are no records, as jSPF expects. */
		@Override
		public @Nullable List<String> getRecords(DNSRequest request) throws TimeoutException {
			try {
				List<String> records = find(request);
				return records.isEmpty() ? null : new ArrayList<>(records);
			}
			catch (IOException ex) {
				throw new TimeoutException(ex.getMessage());
			}
		}

		private List<String> find(DNSRequest request) throws IOException {
			return switch (request.getRecordType()) {
				case DNSRequest.A -> find(request, Type.A);
				case DNSRequest.AAAA -> find(request, Type.AAAA);
				case DNSRequest.MX -> find(request, Type.MX);
				case DNSRequest.PTR -> find(request, Type.PTR);
				case DNSRequest.TXT -> this.resolver.texts(request.getHostname());
				default -> List.of();
			};
		}

		private List<String> find(DNSRequest request, int type) throws IOException {
			return this.resolver.records(request.getHostname(), type)
				.stream()
				.map(LibraryResolver::text)
				.limit((type == Type.MX || type == Type.PTR) ? MAX_RECORDS : Long.MAX_VALUE)
				.toList();
		}

		private static String text(Record record) {
			return switch (record) {
				case ARecord a -> a.getAddress().getHostAddress();
				case AAAARecord aaaa -> aaaa.getAddress().getHostAddress();
				case MXRecord mx -> mx.getTarget().toString();
				case PTRRecord ptr -> ptr.getTarget().toString();
				default -> record.rdataToString();
			};
		}

		/** Unsupported: only jSPF's asynchronous executor calls this. */
		@Override
		public CompletionStage<List<String>> getRecordsAsync(DNSRequest request) {
			return CompletableFuture
				.failedStage(new UnsupportedOperationException("Only blocking lookups are supported"));
		}

		@Override
		public List<String> getLocalDomainNames() {
			return List.of();
		}

		@Override
		public void setTimeOut(int timeOut) {
			// The timeout is set in BlockingResolver.
		}

		@Override
		public int getRecordLimit() {
			return MAX_RECORDS;
		}

		@Override
		public void setRecordLimit(int recordLimit) {
			// The limit is set by RFC 7208.
		}

	}

}
