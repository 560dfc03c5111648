package dev.mailroom.worker.jobs;

import java.time.Duration;

import dev.mailroom.directory.DirectoryCopy;

import org.springframework.stereotype.Component;

/** Keeps this cell and the directory of cells equal, if there is a directory. */
@Component
class DirectoryJob {

	private static final Duration INTERVAL = Duration.ofSeconds(30);

	private static final Duration REPAIR_INTERVAL = Duration.ofMinutes(10);

	DirectoryJob(Jobs jobs, DirectoryCopy copy) {
		if (copy.isUsed()) {
			jobs.always("observations of the directory were made", INTERVAL, () -> {
				copy.observe();
				return 0;
			});
			jobs.always("differences from the directory were repaired", REPAIR_INTERVAL, copy::repair);
		}
	}

}
