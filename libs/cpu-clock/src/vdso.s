.pushsection .rodata.cpu_clock_vdso, "a", @progbits
.globl cpu_clock_vdso, cpu_clock_vdso_gettimeofday, cpu_clock_vdso_time, cpu_clock_vdso_numbers, cpu_clock_vdso_end
.hidden cpu_clock_vdso, cpu_clock_vdso_gettimeofday, cpu_clock_vdso_time, cpu_clock_vdso_numbers, cpu_clock_vdso_end
cpu_clock_vdso:
.Lcpu_clock:
    cmp edi, 7
    ja 3f
    mov eax, 0x0c
    bt eax, edi
    jc 3f
    push rsi
    push rdi
    sub rsp, 16
    mov edi, 2
    mov rsi, rsp
    mov eax, 228
    syscall
    imul rax, qword ptr [rsp], 1000000000
    add rax, qword ptr [rsp + 8]
    add rsp, 16
    pop rdi
    pop rsi
    xor edx, edx
    div qword ptr [rip + .Lcpu_clock_numbers]
    mov ecx, 0x21
    bt ecx, edi
    jc 1f
    add rax, qword ptr [rip + .Lcpu_clock_numbers + 16]
    jmp 2f
1:  add rax, qword ptr [rip + .Lcpu_clock_numbers + 8]
2:  xor edx, edx
    mov ecx, 1000000000
    div rcx
    mov qword ptr [rsi], rax
    mov qword ptr [rsi + 8], rdx
    xor eax, eax
    ret
3:  mov eax, 228
    syscall
    ret
cpu_clock_vdso_gettimeofday:
    test rdi, rdi
    jz 4f
    push rdi
    sub rsp, 16
    mov rsi, rsp
    xor edi, edi
    call .Lcpu_clock
    mov rax, qword ptr [rsp + 8]
    xor edx, edx
    mov ecx, 1000
    div rcx
    mov rcx, qword ptr [rsp]
    add rsp, 16
    pop rdi
    mov qword ptr [rdi], rcx
    mov qword ptr [rdi + 8], rax
4:  xor eax, eax
    ret
cpu_clock_vdso_time:
    push rdi
    sub rsp, 16
    mov rsi, rsp
    xor edi, edi
    call .Lcpu_clock
    mov rax, qword ptr [rsp]
    add rsp, 16
    pop rdi
    test rdi, rdi
    jz 5f
    mov qword ptr [rdi], rax
5:  ret
.balign 8
cpu_clock_vdso_numbers:
.Lcpu_clock_numbers:
    .quad 1, 0, 0
cpu_clock_vdso_end:
.popsection
