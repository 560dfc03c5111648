package dev.mailroom.worker.inbound;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.apache.james.jspf.core.DNSRequest;
import org.apache.james.jspf.core.DNSService;
import org.apache.james.jspf.core.exceptions.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.MXRecord;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

/** Gives jSPF the same name servers that everything else asks. */
final class SpfResolver implements DNSService {

	/** Names of one MX or PTR that are looked at (RFC 7208 4.6.4). */
	private static final int MOST_RECORDS = 10;

	private final BlockingResolver names;

	SpfResolver(BlockingResolver names) {
		this.names = names;
	}

	/** The library takes from the list as it goes on, and takes null for none. */
	@Override
	public @Nullable List<String> getRecords(DNSRequest request) throws TimeoutException {
		try {
			List<String> found = find(request);
			return found.isEmpty() ? null : new ArrayList<>(found);
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
			case DNSRequest.TXT -> this.names.texts(request.getHostname());
			default -> List.of();
		};
	}

	private List<String> find(DNSRequest request, int type) throws IOException {
		return this.names.records(request.getHostname(), type)
			.stream()
			.map(SpfResolver::text)
			.limit(MOST_RECORDS)
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

	/** Only the library's asynchronous executor asks this way, and it is not used. */
	@Override
	public CompletionStage<List<String>> getRecordsAsync(DNSRequest request) {
		return CompletableFuture.failedStage(new UnsupportedOperationException("Ask and wait"));
	}

	@Override
	public List<String> getLocalDomainNames() {
		return List.of();
	}

	@Override
	public void setTimeOut(int timeOut) {
		// How long to wait is settled for all who ask.
	}

	@Override
	public int getRecordLimit() {
		return MOST_RECORDS;
	}

	@Override
	public void setRecordLimit(int recordLimit) {
		// The limit is the standard's.
	}

}
