/* Wine 8 lacks this library, from which every Go program takes its random numbers. */
int __stdcall SystemFunction036(void *buffer, unsigned long length);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *buffer, unsigned long long length) {
	return SystemFunction036(buffer, (unsigned long)length);
}
